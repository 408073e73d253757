import { expect, test } from 'vitest';
import { liveAndDie } from './testing/live-and-die.ts';

test.each(['before', 'after', 'answer-lost'] as const)(
  'a process that dies %s any of its writes leaves a world that its successor brings to the same end',
  async (moment) => {
    let skip = 0;
    while (await liveAndDie(skip, moment)) skip += 1;
    expect(skip).toBeGreaterThan(20);
  },
);
