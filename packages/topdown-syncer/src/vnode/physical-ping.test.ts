import { silentLog } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { createPhysicalPing } from './physical-ping.ts';

test('an answer counts for as long as the next one may take: a process that was frozen has to ask again first', async () => {
  let nowMs = 0;
  const asked = Promise.withResolvers<void>();
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => undefined };
  const client = { list: async () => asked.resolve() } as unknown as Connection['client'];
  const ping = createPhysicalPing({}, { physical: { client }, clock, log: silentLog });
  expect(ping.answers()).toBe(false);
  const stop = new AbortController();
  const ended = ping.run(stop.signal);
  await asked.promise;
  await expect.poll(ping.answers).toBe(true);
  nowMs = 17_000;
  expect(ping.answers()).toBe(true);
  nowMs = 17_001;
  expect(ping.answers()).toBe(false);
  stop.abort();
  await ended;
});
