import { createClientPool } from '@tributary/cloudflare-api';
import type { ApiFetch, ApiMetrics } from '@tributary/cloudflare-api';
import { createEventRecorder } from '@tributary/runtime';
import type { Connection, Fence, Metrics, Runnable } from '@tributary/runtime';
import { contributors, targets } from './catalog.ts';
import { createResourceControllers } from './engine/l2-controllers/resource-controllers.ts';
import type { ResourceControllerOptions } from './engine/l2-controllers/resource-controllers.ts';
import type { AnyContributor } from './engine/l2-controllers/contributor.ts';
import { createCommitter } from './engine/l3-core/committer.ts';
import type { CommitterOptions } from './engine/l3-core/committer.ts';
import { createFencedFetch } from './engine/l5-sync/fenced-fetch.ts';
import { createSyncController } from './engine/l5-sync/sync-controller.ts';
import type { SyncControllerOptions } from './engine/l5-sync/sync-controller.ts';
import type { AnyTarget, Download } from './engine/l5-sync/target.ts';
import { createCredentialStore } from './refs/credential-store.ts';
import { createSecretReads } from './refs/secret-reads.ts';

export type CloudflareOperatorOptions = ResourceControllerOptions &
  Omit<SyncControllerOptions, 'targets' | 'concurrency'> & {
    readonly commits?: CommitterOptions;
    /** Cloudflare's own when absent. */
    readonly baseUrl?: string | undefined;
    /** Which replica this is, for Events. */
    readonly identity?: string;
    /** The catalog's when absent. */
    readonly contributors?: readonly AnyContributor[];
    readonly targets?: readonly AnyTarget[];
  };

export type CloudflareOperatorDeps = {
  readonly connection: Connection;
  /** The same caches, its writes fenced: for what runs on the leader. */
  readonly leader: Connection;
  readonly fence: Fence;
  readonly isLeader: () => boolean;
  readonly fetch: ApiFetch;
  /** For what targets read elsewhere; the network's own when absent. */
  readonly download?: Download;
  readonly metrics?: Metrics;
  readonly apiMetrics?: ApiMetrics;
};

/** All parts of the operator: layers 2 and 3 on every replica, layer 5 on the leader. */
export function createCloudflareOperator(
  options: CloudflareOperatorOptions,
  deps: CloudflareOperatorDeps,
): readonly Runnable[] {
  const { connection, leader, isLeader, fence, metrics, apiMetrics } = deps;
  const { contributors: kinds = contributors, targets: known = targets, baseUrl, identity = '' } = options;
  const { clock, log } = connection;
  const pool = createClientPool(
    { ...(baseUrl && { baseUrl }) },
    { fetch: createFencedFetch(deps.fetch, fence), clock, log, ...(apiMetrics && { metrics: apiMetrics }) },
  );
  const store = createCredentialStore(connection);
  const secrets = createSecretReads(connection);
  const committer = createCommitter(options.commits ?? {}, connection);
  const events = createEventRecorder({ component: 'cloudflare-operator', instance: identity }, leader);
  const controllers = createResourceControllers(kinds, options, {
    ...connection,
    committer,
    isLeader,
    secrets,
    events,
    metrics,
  });
  const sync = createSyncController(toSyncOptions(options, known), {
    connection: leader,
    fence,
    download: deps.download,
    clientFor: pool.clientFor,
    events,
    credentialFor: store.credentialFor,
    onCredentialChange: store.onChange,
    metrics,
  });
  const ending: Runnable = {
    name: 'core-service',
    runs: 'always',
    run: async (signal) => {
      await ended(signal);
      committer.stop();
      await events.stop();
      pool.close();
    },
  };
  return [store.runnable, secrets.runnable, ending, ...controllers, ...sync];
}

function toSyncOptions(options: CloudflareOperatorOptions, known: readonly AnyTarget[]): SyncControllerOptions {
  const { concurrency: _ofLayer2, ...rest } = options;
  return { ...rest, targets: known };
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
