import { eventKind, isNotFound } from '@tributary/runtime';
import type { Kind, KubeClient, KubeObject, ObjectRef } from '@tributary/runtime';
import { createPhysicalName } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';
import { mountNamespace } from './world.ts';

const physicalName = createPhysicalName();

/** Where the copy of an object of V is. */
export function copyOf(ref: ObjectRef): { readonly namespace: string; readonly name: string } {
  return { namespace: mountNamespace, name: physicalName(ref) };
}

export const web = { namespace: 'default', name: 'web' };

export type PodParts = { readonly metadata?: Pod['metadata']; readonly spec?: Partial<Pod['spec']> };

/** A pod without tokens, as small as can be. */
export function podOf({ metadata, spec }: PodParts = {}): Pod {
  return {
    metadata: { ...web, ...metadata },
    spec: { containers: [{ name: 'main', image: 'nginx' }], automountServiceAccountToken: false, ...spec },
  };
}

export async function find<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>,
  kind: Kind<T>,
  ref: ObjectRef,
): Promise<T | undefined> {
  try {
    return await client.get(kind, ref);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

type EventText = {
  readonly regarding?: { readonly name?: string };
  readonly involvedObject?: { readonly name?: string };
  readonly reason?: string;
  readonly note?: string;
  readonly message?: string;
};

/** The events about an object, as `Reason: text`. */
export async function eventsOf(client: Pick<KubeClient, 'list'>, name: string): Promise<readonly string[]> {
  const { items } = await client.list(eventKind);
  return (items as readonly EventText[])
    .filter(({ regarding, involvedObject }) => (regarding ?? involvedObject)?.name === name)
    .map(({ reason = '', note, message }) => `${reason}: ${note ?? message ?? ''}`);
}
