import type { Clock, KubeClient } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState, SyncStateStatus } from '../l4-state/sync-state.ts';
import type { StatusTrust } from './status-trust.ts';
import { nextStatus, sliceStatus } from './sync-status.ts';
import type { Progress } from './sync-status.ts';

/** Writes the status of one SyncState in the course of one reconcile, and nothing when it would stay the same. */
export type StatusWriter = {
  readonly current: () => SyncState;
  /** Whether anything was written at all. */
  readonly wrote: () => boolean;
  /** Its slices follow, once it is known how it went. */
  readonly write: (progress: Progress) => Promise<void>;
};

export type StatusDeps = {
  readonly client: Pick<KubeClient, 'patchStatus'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly trust: Pick<StatusTrust, 'told'>;
};

export function createStatusWriter(
  state: SyncState,
  slices: readonly SyncState[],
  { client, clock, trust }: StatusDeps,
): StatusWriter {
  let current = state;
  // Of what the work began with: a spec that came meanwhile shows in what a write answers, and is not done yet.
  const { generation } = state.metadata;
  return {
    current: () => current,
    wrote: () => current !== state,
    write: async (progress) => {
      const old = current.status ?? {};
      const next = nextStatus(old, progress, { now: clock.now(), generation });
      if (next !== old) current = await writeStatus(current, next, client);
      if (progress.kind === 'syncing') return;
      trust.told(current.metadata.name ?? '');
      for (const slice of slices) {
        const shown = sliceStatus(slice.status, next, slice.metadata);
        if (shown !== slice.status) await writeStatus(slice, shown, client);
      }
    },
  };
}

/** The whole status, on this very object: one that took its name meanwhile is left alone. */
async function writeStatus(
  { metadata }: SyncState,
  status: SyncStateStatus,
  client: Pick<KubeClient, 'patchStatus'>,
): Promise<SyncState> {
  const { name = '', uid } = metadata;
  return client.patchStatus(
    syncStateKind,
    { name },
    {
      type: 'json',
      body: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'add', path: '/status', value: status },
      ],
    },
  );
}
