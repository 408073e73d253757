import { OperatorError } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

let world: ToyWorld;
afterEach(async () => world.stop());

const all = Array.from({ length: 20 }, (_, index) => record(`r${index}`, '1'));

describe('a leader that loses its term', () => {
  test('between its look and its write sends nothing, and the next one does the work', async () => {
    let leads = true;
    let checks = 0;
    world = await startToyWorld({
      fence: () => ({
        check: () => {
          checks += 1;
          if (!leads) throw new OperatorError('leader/lost', 'no longer the leader', { kind: 'backoff' });
        },
      }),
    });
    world.toy.hooks.after = ({ verb }) => {
      if (verb === 'list') leads = false;
    };
    const first = await world.start();
    await world.putAll(all);
    await world.until(() => checks > 0);
    expect(world.toy.writes()).toEqual([]);
    await world.clock.advance(500);
    expect([world.toy.writes(), world.kubeWrites]).toEqual([[], []]);
    await first.stop();
    leads = true;
    delete world.toy.hooks.after;
    await world.start();
    await world.synced(...all);
    expect(world.toy.records.size).toBe(20);
  });

  test('sends nothing of a single change either', async () => {
    let checks = 0;
    world = await startToyWorld({
      fence: () => ({
        check: () => {
          checks += 1;
          throw new OperatorError('leader/lost', 'no longer the leader', { kind: 'backoff' });
        },
      }),
    });
    await world.start();
    await world.put(record('www', '1'));
    await world.until(() => checks > 0);
    await world.clock.advance(500);
    expect([world.toy.writes(), world.kubeWrites]).toEqual([[], []]);
  });

  test('while it collects stops at once, and nothing of it is sent later', async () => {
    world = await startToyWorld({ latencyMs: 1000 });
    const first = await world.start();
    await world.putAll(all);
    await world.until(() => world.toy.calls.length > 0);
    await world.run(first.stop());
    const calls = world.toy.calls.length;
    await world.clock.advance(60_000);
    expect(world.toy.calls.length).toBe(calls);
    expect(world.toy.writes()).toEqual([]);
    await world.start();
    await world.synced(...all);
    expect(world.toy.records.size).toBe(20);
  });
});
