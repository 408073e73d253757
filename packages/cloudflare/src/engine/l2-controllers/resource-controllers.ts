import type { Connection, EventRecorder, Metrics, Runnable } from '@tributary/runtime';
import type { Committer } from '../l3-core/committer.ts';
import { credentialsIn, syncStateKind } from '../l4-state/sync-state.ts';
import { createChildStores } from './child-stores.ts';
import { createContributorController, leadershipTopic } from './contributor-controller.ts';
import type { Layer2 } from './contributor-controller.ts';
import type { AnyContributor } from './contributor.ts';
import { createKindStores, topicOf } from './kind-stores.ts';
import { createInstalledKinds, whenInstalled } from './when-installed.ts';
import type { InstalledKinds } from './when-installed.ts';
import { createSyncStates } from './sync-states.ts';
import type { SyncStates } from './sync-states.ts';
import { createTopics } from './topics.ts';
import type { Topics } from './topics.ts';
import { credentialsTopic, installedTopic, secretTopic } from './tracked-refs.ts';
import type { SecretReads } from './tracked-refs.ts';

export type ResourceControllerOptions = {
  readonly operatorNamespace: string;
  /** All namespaces when absent or empty. */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** How long an object may wait for Cloudflare before its status says so. */
  readonly pendingAfterMs?: number | undefined;
  /** How long replicas that do not lead leave the work to the leader, at least. */
  readonly followerDelayMs?: number | undefined;
  readonly concurrency?: number | undefined;
};

export type ResourceControllerDeps = Pick<Connection, 'client' | 'cache' | 'clock' | 'random' | 'log'> & {
  readonly committer: Committer;
  readonly isLeader: () => boolean;
  /** For kinds that take something from a Secret; without it they wait. */
  readonly secrets?: SecretReads | undefined;
  readonly events?: Pick<EventRecorder, 'record'> | undefined;
  readonly metrics?: Metrics | undefined;
};

// Many at once, because a registration lasts until the write that it shares with others is done.
const defaults = { pendingAfterMs: 30_000, followerDelayMs: 10_000, concurrency: 2000 };

/** Layer 2: a controller for every kind, all of one make. */
export function createResourceControllers(
  contributors: readonly AnyContributor[],
  options: ResourceControllerOptions,
  deps: ResourceControllerDeps,
): readonly Runnable[] {
  const optional = contributors.flatMap((each) => (each.optional ? [each.kind] : []));
  const layer = createLayer(options, deps, createInstalledKinds(optional, deps.cache));
  const controllers = contributors.map((contributor) => {
    if (contributor.optional) {
      return whenInstalled(contributor.kind, deps.cache, () => createOpened(contributor, layer));
    }
    return createOpened(contributor, layer);
  });
  return [...controllers, announceLeadership(layer)];
}

/** Who leads from now on need not wait for a leader any more. */
function announceLeadership({ topics }: Layer2): Runnable {
  const run = async (): Promise<void> => topics.announce(leadershipTopic);
  return { name: 'turns', runs: 'leader', run };
}

function createLayer(
  options: ResourceControllerOptions,
  deps: ResourceControllerDeps,
  installed: InstalledKinds,
): Layer2 {
  const topics = createTopics();
  const stores = createKindStores(options, { cache: deps.cache, topics });
  const syncStates = createSyncStates(deps.cache);
  announceSyncStates(syncStates, topics);
  deps.secrets?.onChange((key) => topics.announce(secretTopic(key)));
  installed.onChange((name) => topics.announce(installedTopic(name)));
  return {
    ...deps,
    installed,
    stores,
    childStores: createChildStores(stores, topics),
    syncStates,
    topics,
    operatorNamespace: options.operatorNamespace,
    pendingAfterMs: options.pendingAfterMs ?? defaults.pendingAfterMs,
    followerDelayMs: options.followerDelayMs ?? defaults.followerDelayMs,
    concurrency: options.concurrency ?? defaults.concurrency,
  };
}

/** What a kind reads is watched from the start, so that nothing is decided on half of it. */
function createOpened(contributor: AnyContributor, layer: Layer2): Runnable {
  for (const kind of contributor.reads ?? []) layer.stores.of(kind);
  for (const kind of contributor.childKinds ?? []) layer.childStores.open(kind);
  return createContributorController(contributor, layer);
}

function announceSyncStates({ informer }: SyncStates, topics: Pick<Topics, 'announce'>): void {
  informer.onChange(({ object, old }) => {
    topics.announce(topicOf(syncStateKind, object.metadata.name));
    const named = [object, ...(old ? [old] : [])].flatMap(({ spec }) => credentialsIn(spec));
    for (const each of new Set(named)) topics.announce(credentialsTopic(each));
  });
}
