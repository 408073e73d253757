import { isAlreadyExists } from '@tributary/runtime';
import { priorityClassKind } from '../contract/cluster-kinds.ts';
import { managedByLabel, managedByValue, priorityClass } from '../contract/keys.ts';
import type { Sides } from '../sides.ts';

/** Sees to it that the class of P's pods exists, where it is the one that everybody has who chose none. */
export function createPriorityKeeper(sides: Pick<Sides, 'physical'>): (name: string) => Promise<void> {
  const { client, cache } = sides.physical;
  const classes = cache.informer(priorityClassKind, { fieldSelector: `metadata.name=${priorityClass.name}` });
  let making: Promise<void> | undefined;
  const make = async (): Promise<void> => {
    try {
      await client.create(priorityClassKind, {
        metadata: { name: priorityClass.name, labels: { [managedByLabel]: managedByValue } },
        value: priorityClass.value,
        preemptionPolicy: 'PreemptLowerPriority',
        globalDefault: false,
        description: 'Pods of virtual clusters give way to those of the physical one.',
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  };
  return async (name) => {
    if (name !== priorityClass.name || classes.get({ name })) return;
    making ??= make().finally(() => {
      making = undefined;
    });
    await making;
  };
}
