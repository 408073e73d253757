import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { landAll } from './land-all.ts';

class Refused extends Error {}

async function land(size: number, bad: ReadonlySet<number>, stopAt = Infinity) {
  const calls: number[] = [];
  const landed: number[] = [];
  const blamed = new Map<number, string>();
  await landAll<number, string>(
    Array.from({ length: size }, (_, member) => member),
    {
      run: async (members) => {
        calls.push(members.length);
        if (calls.length > stopAt) throw new Error('the network is gone');
        const found = members.find((member) => bad.has(member));
        if (found !== undefined) throw new Refused(`${found} is bad`);
        return members.map((member) => `made ${member}`);
      },
      landed: (member, result) => {
        expect(result).toBe(`made ${member}`);
        landed.push(member);
      },
      failed: (member, error) => blamed.set(member, (error as Error).message),
      blames: (error) => error instanceof Refused,
    },
  );
  return { calls, landed, blamed };
}

describe('landing many at once', () => {
  test('costs one call when all are good', async () => {
    expect((await land(1000, new Set())).calls).toEqual([1000]);
  });

  test('one bad member of a thousand costs thirteen more', async () => {
    for (const bad of [0, 499, 999]) {
      const { calls, landed, blamed } = await land(1000, new Set([bad]));
      expect([landed.length, ...blamed]).toEqual([999, [bad, `${bad} is bad`]]);
      expect(calls.length).toBeLessThanOrEqual(1 + 13);
    }
  });

  test('blames exactly the bad ones, lands all others once, and the number of calls is bounded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.nat(299), { maxLength: 12 }),
        async (size, given) => {
          const bad = new Set(given.filter((member) => member < size));
          const { calls, landed, blamed } = await land(size, bad);
          expect(landed.toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: size }, (_, member) => member).filter((member) => !bad.has(member)),
          );
          expect(new Map([...blamed].toSorted(([a], [b]) => a - b))).toEqual(
            new Map([...bad].toSorted((a, b) => a - b).map((member) => [member, `${member} is bad`])),
          );
          expect(calls.length).toBeLessThanOrEqual(1 + bad.size * (Math.ceil(Math.log2(size)) + 3));
        },
      ),
    );
  });

  test('a failure that is nobody’s fault fails all that is left, and those that landed stay landed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.nat(59), fc.nat(8), async (size, bad, stopAt) => {
        const { landed, blamed } = await land(size, new Set([bad]), stopAt);
        expect([...landed, ...blamed.keys()].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: size }, (_, member) => member),
        );
      }),
    );
  });
});

describe('where there is no room for all', () => {
  class Full extends Error {}

  async function landWithRoom(size: number, room: number, tooMany: ReadonlySet<number> = new Set()) {
    let calls = 0;
    const landed: number[] = [];
    const failed: number[] = [];
    await landAll<number, number>(
      Array.from({ length: size }, (_, member) => member),
      {
        run: async (members) => {
          calls += 1;
          if (landed.length + members.length > room) throw new Full('no room');
          if (members.some((member) => tooMany.has(member))) throw new Full('this one asks for too much');
          return members;
        },
        landed: (member) => landed.push(member),
        failed: (member) => failed.push(member),
        blames: () => true,
        isFull: (error) => error instanceof Full,
      },
    );
    return { calls, landed, failed };
  }

  test('what fits lands, and the others are not tried one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(300), async (size, room) => {
        const { calls, landed, failed } = await landWithRoom(size, room);
        expect(landed).toHaveLength(Math.min(size, room));
        expect(failed).toHaveLength(Math.max(0, size - room));
        expect(calls).toBeLessThanOrEqual(3 + Math.ceil(Math.log2(size)));
      }),
    );
  });

  test('one that alone asks for too much keeps nobody else out', async () => {
    const { landed, failed } = await landWithRoom(100, 1000, new Set([42]));
    expect([landed.length, ...failed]).toEqual([99, 42]);
  });
});
