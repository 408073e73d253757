import { createSimulatedClock } from '@tributary/testkit';
import { describe, expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

const place = { scope: 'zone', group: 'zone|token' };

/** Items come at these times, when so many of the scope may join in all; returns when which went together. */
async function play(
  arrivals: readonly number[],
  expected: (joined: number, now: number) => number,
): Promise<readonly string[]> {
  const clock = createSimulatedClock();
  const gone: string[] = [];
  let joined = 0;
  const gathering = createGathering<number, number>(
    {},
    { clock, expected: () => expected(joined, clock.monotonic()) },
    (_group, members) => {
      joined -= members.length;
      gone.push(`${clock.monotonic()}: ${members.length}`);
      for (const { item, resolve } of members) resolve(item);
    },
  );
  const answers: Promise<number>[] = [];
  arrivals.forEach((at, index) =>
    clock.after(at, () => {
      joined += 1;
      answers.push(gathering.join(place, index));
    }),
  );
  await clock.advance(60_000);
  expect(await Promise.all(answers)).toEqual(arrivals.map((_, index) => index));
  return gone;
}

const stream = (count: number, gapMs: number): number[] => Array.from({ length: count }, (_, index) => index * gapMs);
const atLeast = (count: number) => (joined: number) => Math.max(count, joined);
const nobodyElse = (joined: number): number => joined;
/** As long as the stream lasts, those of the next half second are known to come. */
const untilTheEndOf = (arrivals: readonly number[]) => (joined: number, now: number) =>
  joined + arrivals.filter((at) => at > now && at <= now + 500).length;

describe('a few', () => {
  test('who is alone goes at once', async () => {
    expect(await play([0], nobodyElse)).toEqual(['0: 1']);
  });

  test('who is alone, with another known to be on its way, waits a moment for it', async () => {
    expect(await play([0, 20], () => 2)).toEqual(['20: 2']);
  });

  test('they go in the moment in which the last one has come', async () => {
    expect(await play([0, 0, 5], () => 3)).toEqual(['5: 3']);
  });

  test('they go after a short quiet when some never come', async () => {
    expect(await play([0, 10], () => 9)).toEqual(['40: 2']);
  });

  test('one after the other they go at the limit', async () => {
    expect(await play([0, 25, 50, 75, 100, 125, 150, 175, 200], () => 9.5)).toEqual(['230: 9']);
    expect(await play([0, 5000], () => 2)).toEqual(['30: 1', '5030: 1']);
  });
});

describe('a crowd', () => {
  test('that seems complete goes after a quiet that a busy server may need', async () => {
    expect(await play(stream(10, 0), atLeast(10))).toEqual(['300: 10']);
    expect(await play([...stream(10, 0), 250], atLeast(10))).toEqual(['550: 11']);
  });

  test('of which more are known to come is waited for longer', async () => {
    expect(await play([...stream(10, 0), 600], (joined, now) => (now < 600 ? 11 : joined))).toEqual(['900: 11']);
  });

  test('of which some never come goes all the same', async () => {
    expect(await play(stream(10, 0), () => 50)).toEqual(['700: 10']);
  });

  test('that comes over ten seconds goes in three parts', async () => {
    const arrivals = stream(1000, 10);
    const gone = await play(arrivals, untilTheEndOf(arrivals));
    expect(gone).toEqual(['2000: 201', '8010: 601', '10690: 198']);
  });

  test('that comes over fifty seconds goes in few parts, none of which waits longer than nine seconds', async () => {
    const arrivals = stream(2000, 25);
    const gone = await play(arrivals, untilTheEndOf(arrivals));
    expect(gone).toHaveLength(7);
  });

  test('leaves nothing behind after a pause', async () => {
    const gone = await play([...stream(10, 0), 5000], (joined, now) => (now < 5000 ? 10 : joined));
    expect(gone).toEqual(['300: 10', '5000: 1']);
  });
});
