import { afterEach, beforeEach, expect, test } from 'vitest';
import { board, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
const long = (name: string): string => `${name}-${'x'.repeat(400)}`;
const entries = (): number | undefined => world.toy.boards.get('b')?.entries.length;
const statuses = () =>
  world.all().map(({ metadata, spec, status }) => ({
    slice: spec.slice ?? 0,
    synced: status?.syncStatus === 'Synced' && status.observedGeneration === metadata.generation,
    sources: spec.sources?.length,
  }));

beforeEach(async () => {
  // Room for two sources in each.
  world = await startToyWorld({ maxBytes: 1200 });
  world.toy.boards.set('b', { id: 'b', version: 1, entries: [] });
  await world.start();
  for (let index = 0; index < 5; index += 1) await world.put(board(long(`e${index}`)), `s${index}`);
  await world.until(() => statuses().every(({ synced }) => synced));
});
afterEach(async () => world.stop());

test('sources that are spread over several SyncStates are written as one', () => {
  expect(entries()).toBe(5);
  expect(statuses().length).toBeGreaterThan(1);
  expect(world.toy.writes()).toHaveLength(1);
});

test('a change in any slice reaches the one object, and every slice says so', async () => {
  const last = world.all().find(({ spec }) => spec.slice !== undefined && (spec.sources ?? []).length > 0);
  const changed = last?.spec.sources?.[0]?.ref.name ?? '';
  await world.put(board('short'), changed);
  await world.until(() => world.toy.boards.get('b')?.entries.includes('short') === true);
  await world.until(() => statuses().every(({ synced }) => synced));
  expect(entries()).toBe(5);
});

test('a slice without sources goes, and all go with the last source', async () => {
  for (const state of world.all()) {
    for (const { ref } of state.spec.sources ?? []) await world.dropFrom(state.metadata.name ?? '', ref.name);
  }
  await world.until(() => world.all().length === 0);
  expect(entries()).toBe(0);
});

test('a restart finds all in order', async () => {
  const [calls, writes] = [world.toy.calls.length, world.kubeWrites.length];
  await world.start();
  await world.clock.advance(60_000);
  expect([world.toy.calls.length - calls, world.kubeWrites.length - writes]).toEqual([0, 0]);
});
