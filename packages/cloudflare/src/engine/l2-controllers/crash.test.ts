import { expect, test } from 'vitest';
import { liveAndDie } from './testing/live-and-die.ts';

const moments = ['before', 'answer-lost', 'after'] as const;

test('a process that dies at any of its writes leaves a world that its successor brings to the same end', async () => {
  let skip = 0;
  while (await liveAndDie(skip, moments[skip % 3] ?? 'before')) skip += 1;
  expect(skip).toBeGreaterThan(20);
}, 120_000);
