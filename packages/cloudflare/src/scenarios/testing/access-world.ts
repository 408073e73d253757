import { getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { Shown } from '../../testing/dashboard.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[] } & Readonly<Record<string, unknown>>;
};

/** A world with credentials, and short words for what scenarios about Access do in it. */
export type AccessWorld = {
  readonly world: World;
  readonly apply: (
    kind: string,
    name: string,
    spec: object,
    annotations?: Readonly<Record<string, string>>,
  ) => Promise<void>;
  readonly remove: (kind: string, name: string) => Promise<void>;
  readonly statusOf: (kind: string, name: string) => NonNullable<Told['status']>;
  readonly ready: (kind: string, name: string) => Condition | undefined;
  readonly untilReady: (kind: string, name: string, generation?: number) => Promise<void>;
  readonly untilGone: (kind: string, name: string) => Promise<void>;
  /** At the dashboard, below `/access/`. */
  readonly list: (path: string) => readonly Shown[];
  readonly send: (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Shown;
};

export async function createAccessWorld(options: WorldOptions = {}): Promise<AccessWorld> {
  const world = await createWorld(options);
  await world.applyCredentials();
  const at = (path: string): string => `/accounts/${world.sim.accountId}/access/${path}`;
  const statusOf: AccessWorld['statusOf'] = (kind, name) => world.get(kindOf(kind), { name })?.status ?? {};
  const ready: AccessWorld['ready'] = (kind, name) => getCondition<Condition>(statusOf(kind, name).conditions, 'Ready');
  return {
    world,
    apply: async (kind, name, spec, annotations = {}) =>
      world.apply({
        apiVersion,
        kind,
        metadata: { name, annotations },
        spec: { cloudflare: {}, ...spec },
      } as KubeObject),
    remove: async (kind, name) => world.delete(kindOf(kind), { name }),
    statusOf,
    ready,
    untilReady: async (kind, name, generation = 1) =>
      world.waitFor(() => {
        const { status, observedGeneration = 0 } = ready(kind, name) ?? {};
        return status === 'True' && observedGeneration >= generation;
      }),
    untilGone: async (kind, name) => world.waitFor(() => world.get(kindOf(kind), { name }) === undefined, 20 * 60_000),
    list: (path) => listAtDashboard(world.sim, at(path)),
    send: (method, path, body) => atDashboard(world.sim, method, at(path), body),
  };
}

function kindOf(kind: string): Kind<Told> {
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return {
    group: 'networking.cloudflare-operator.io',
    version: 'v1alpha2',
    kind,
    plural: plural.toLowerCase(),
    scope: 'Cluster',
  };
}
