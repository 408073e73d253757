import { getCondition } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
afterEach(async () => world.stop());

const credentials = () => world.get(cloudflareCredentialsKind, { name: 'main' });
const isReady = (): boolean => getCondition(credentials()?.status?.conditions, 'Ready')?.status === 'True';

test('credentials become ready with four writes and stay so in silence', async () => {
  world = await createWorld();
  await world.applyCredentials();
  await world.waitFor(isReady);
  expect(credentials()?.status).toMatchObject({ state: 'Ready', validated: true, accountName: 'Tributary' });
  expect(world.writeCounts()).toEqual({
    cloudflarecredentials: 1,
    cloudflaresyncstates: 1,
    'cloudflaresyncstates/status': 1,
    'cloudflarecredentials/status': 1,
  });
  world.clearCounts();
  await world.clock.advance(10 * 60_000);
  expect(world.writeCounts()).toEqual({});
  expect(world.sim.journal.count()).toBe(0);
});

test('deleted credentials leave nothing behind', async () => {
  world = await createWorld();
  await world.applyCredentials();
  await world.waitFor(isReady);
  await world.delete(cloudflareCredentialsKind, { name: 'main' });
  await world.waitFor(() => credentials() === undefined);
  expect(world.list(syncStateKind)).toEqual([]);
});
