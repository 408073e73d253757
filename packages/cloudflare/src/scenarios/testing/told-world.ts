import { getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';

export type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[] } & Readonly<Record<string, unknown>>;
};

/** A world with credentials, and short words for what scenarios do in its namespace `default`. */
export type ToldWorld<N extends string> = World & {
  readonly put: (kind: N, name: string, spec: object, annotations?: Readonly<Record<string, string>>) => Promise<void>;
  /** Deletes the object and waits until it is gone. */
  readonly remove: (kind: N, name: string) => Promise<void>;
  readonly find: (kind: N, name: string) => Told | undefined;
  readonly ready: (kind: N, name: string) => Condition | undefined;
  /** Ready as it is now, not as it was. */
  readonly untilReady: (kind: N, ...names: readonly string[]) => Promise<void>;
  readonly untilReason: (kind: N, name: string, reason: string) => Promise<void>;
  readonly untilMessage: (kind: N, name: string, part: string) => Promise<void>;
};

/** Some things come to pass only when they are looked at again. */
const limitMs = 5 * 60_000;

export async function createToldWorld<N extends string>(
  kinds: Readonly<Record<N, Kind<KubeObject>>>,
  options: WorldOptions = {},
): Promise<ToldWorld<N>> {
  const world = await createWorld(options);
  await world.applyCredentials();
  const find = (kind: N, name: string): Told | undefined => world.get(kinds[kind], { namespace: 'default', name });
  const ready = (kind: N, name: string): Condition | undefined =>
    getCondition<Condition>(find(kind, name)?.status?.conditions, 'Ready');
  const isReady = (kind: N, name: string): boolean => {
    const { status, observedGeneration } = ready(kind, name) ?? {};
    return status === 'True' && observedGeneration === find(kind, name)?.metadata.generation;
  };
  return {
    ...world,
    put: async (kind, name, spec, annotations = {}) => {
      const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
      const object = { apiVersion, kind, metadata: { name, annotations }, spec };
      await world.apply(object);
    },
    remove: async (kind, name) => {
      await world.delete(kinds[kind], { namespace: 'default', name });
      await world.waitFor(() => find(kind, name) === undefined, limitMs);
    },
    find,
    ready,
    untilReady: async (kind, ...names) => world.waitFor(() => names.every((name) => isReady(kind, name)), limitMs),
    untilReason: async (kind, name, reason) => world.waitFor(() => ready(kind, name)?.reason === reason, limitMs),
    untilMessage: async (kind, name, part) =>
      world.waitFor(() => ready(kind, name)?.message.includes(part) ?? false, limitMs),
  };
}
