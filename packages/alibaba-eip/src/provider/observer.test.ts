import { silentLog } from '@tributary/runtime';
import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import type { ObservedEip } from '../eip/observed-eip.ts';
import { anEip } from '../eip/testing/eip-world.ts';
import type { EipCalls } from './eip-calls.ts';
import { createEipObserver } from './observer.ts';

/** A provider that answers pages when the test lets it, with what there was when it was asked. */
function createProvider() {
  const clock = createSimulatedClock();
  let eip: ObservedEip = anEip({ bandwidth: '5' });
  const pages: (() => void)[] = [];
  const calls = {
    describePage: async () => {
      const eips = [eip];
      const gate = Promise.withResolvers<void>();
      pages.push(gate.resolve);
      await gate.promise;
      return { total: 1, eips };
    },
    describeIds: async () => [eip],
  } as unknown as EipCalls;
  const changed: string[] = [];
  const observer = createEipObserver(
    { clusterId: 'c1', periodMs: 300_000 },
    { calls, clock, random: () => 0.5, log: silentLog, wantedIds: () => new Set(['eip-1']), isAlive: () => true },
  );
  observer.onChange((id) => changed.push(id));
  return {
    clock,
    observer,
    changed,
    change: (bandwidth: string) => {
      eip = anEip({ bandwidth });
    },
    answer: async () => {
      await clock.runUntil(() => pages.length > 0, 600_000);
      pages.shift()?.();
      await clock.settle();
    },
    bandwidth: () => {
      const seen = observer.get('eip-1');
      return seen.kind === 'seen' ? seen.eip.bandwidth : seen.kind;
    },
  };
}

test('what was looked at while a sweep was under way is newer than the sweep', async () => {
  const { observer, clock, change, answer, bandwidth, changed } = createProvider();
  const first = observer.ready();
  await answer();
  await first;
  const stop = new AbortController();
  const running = observer.runnable.run(stop.signal);
  await clock.settle();
  change('9');
  const looked = observer.look('eip-1');
  await clock.advance(100);
  await looked;
  await answer();
  expect(bandwidth()).toBe('9');
  expect(changed).toEqual([]);
  stop.abort();
  await running;
});

test('what a sweep finds changed is told, and what it finds equal is not', async () => {
  const { observer, change, answer, bandwidth, changed } = createProvider();
  const stop = new AbortController();
  const running = observer.runnable.run(stop.signal);
  await answer();
  await answer();
  expect(changed).toEqual([]);
  change('9');
  await answer();
  expect([bandwidth(), changed]).toEqual(['9', ['eip-1']]);
  stop.abort();
  await running;
});
