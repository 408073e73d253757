import { getCondition } from '@tributary/runtime';
import { expect, test } from 'vitest';
import type { SyncState } from '../l4-state/sync-state.ts';
import { nearLimit } from './near-limit.ts';
import { nextStatus } from './sync-status.ts';
import type { Progress } from './sync-status.ts';
import { boardTarget, recordTarget } from './testing/toy-targets.ts';
import type { Wish } from './wish.ts';

const wish = (bytes: number, target: unknown = boardTarget, slices: readonly SyncState[] = []) =>
  ({
    target,
    slices,
    state: { metadata: { name: 'big' }, spec: { sources: [{ config: 'x'.repeat(bytes) }] } },
  }) as unknown as Wish;

test('a SyncState that fills up says how far, and where further sources go', () => {
  expect(nearLimit(wish(700_000))).toBeUndefined();
  expect(nearLimit(wish(850_000))).toBe(
    'its sources take 0.9 of the 1.0 MB that one object may hold; further ones will go into big-s1',
  );
  expect(nearLimit(wish(990_000, boardTarget, [{} as SyncState]))).toMatch(/further ones are in 1 more$/u);
  expect(nearLimit(wish(990_000, recordTarget))).toBeUndefined();
});

test('its condition stands beside Ready, and goes when there is room again', () => {
  const facts = { hash: 'h', id: 'i', outputs: {}, recorded: {}, created: true, aggregated: {}, duplicates: [] };
  const synced = (nearLimitText?: string): Progress => ({
    kind: 'synced',
    losers: [],
    ...facts,
    wrote: true,
    nearLimit: nearLimitText,
  });
  const context = { now: 0, generation: 1 };
  const full = nextStatus({}, synced('nearly full'), context);
  expect(getCondition(full.conditions, 'NearLimit')).toMatchObject({ status: 'True', message: 'nearly full' });
  expect(getCondition(full.conditions, 'Ready')?.status).toBe('True');
  expect(getCondition(nextStatus(full, synced(), context).conditions, 'NearLimit')).toBeUndefined();
});
