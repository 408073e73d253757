import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, expect, test } from 'vitest';
import { ok } from './testing/stub-server.ts';
import { startTestWorld } from './testing/test-client.ts';
import type { TestWorld } from './testing/test-client.ts';
import { editZoneSettings, listZoneSettings } from './zone-settings.ts';

let world: TestWorld | undefined;
afterEach(async () => world?.close());

test('all settings are read in one call and some are written in one', async () => {
  const ssl = { id: 'ssl', value: 'strict', editable: true, modified_on: null };
  world = await startTestWorld(() => ok([ssl]), { clock: createSimulatedClock() });
  const { client, server } = world;
  expect(await listZoneSettings(client, 'z1')).toEqual([ssl]);
  expect(await editZoneSettings(client, 'z1', [{ id: 'ssl', value: 'strict' }])).toEqual([ssl]);
  expect(server.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/zones/z1/settings', ''],
    ['PATCH', '/zones/z1/settings', '{"items":[{"id":"ssl","value":"strict"}]}'],
  ]);
});

test('a zone without an id is refused before anything is sent', async () => {
  world = await startTestWorld(() => ok(null), { clock: createSimulatedClock() });
  await expect(listZoneSettings(world.client, '')).rejects.toMatchObject({ class: 'validation' });
  expect(world.server.seen).toEqual([]);
  expect(await listZoneSettings(world.client, 'z1')).toEqual([]);
  expect(await editZoneSettings(world.client, 'z1', [])).toEqual([]);
});
