import type { KubeClient } from '@tributary/runtime';
import { expect, test } from 'vitest';
import type { SyncState, SyncStateStatus } from '../l4-state/sync-state.ts';
import { createStatusWriter } from './status-writer.ts';

test('a spec that comes in the middle of the work is not said to be seen', async () => {
  const spec = { resourceType: 'DNSRecord', cloudflareId: 'www', accountId: 'a', credentialsRef: { name: 'main' } };
  const state = { metadata: { name: 'www', uid: 'u', generation: 4 }, spec } as SyncState;
  const written: SyncStateStatus[] = [];
  const patchStatus = (async (_kind, _ref, { body }) => {
    const [, { value }] = body as [unknown, { readonly value: SyncStateStatus }];
    written.push(value);
    // Somebody has changed the wish meanwhile, and the answer shows it.
    return { ...state, metadata: { ...state.metadata, generation: 5 }, status: value };
  }) as KubeClient['patchStatus'];
  const told: string[] = [];
  const trust = { told: (name: string) => void told.push(name) };
  const writer = createStatusWriter(state, [], { client: { patchStatus }, clock: { now: () => 0 }, trust });
  await writer.write({ kind: 'syncing' });
  expect(told).toEqual([]);
  await writer.write({ kind: 'failed', reason: 'InUse', message: 'something uses it' });
  expect(written.map(({ observedGeneration }) => observedGeneration)).toEqual([undefined, 4]);
  expect(written.at(-1)?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([4]);
  expect(writer.current().metadata.generation).toBe(5);
  expect(told).toEqual(['www']);
});
