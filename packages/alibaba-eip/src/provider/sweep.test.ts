import { describe, expect, test } from 'vitest';
import { anEip } from '../eip/testing/eip-world.ts';
import { clusterTag } from '../eip/owner-tags.ts';
import type { EipCalls, PageQuery } from './eip-calls.ts';
import { sweep } from './sweep.ts';
import type { SweepRequest } from './sweep.ts';

const ids = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** An account in memory that counts what it is asked. */
function createAccount(marked: readonly string[], others: readonly string[], skipped: ReadonlySet<string> = new Set()) {
  const asked: string[] = [];
  const all = [
    ...marked.map((id) => anEip({ id, tags: { [clusterTag]: 'c1' } })),
    ...others.map((id) => anEip({ id, tags: {} })),
  ];
  const calls = {
    describePage: async ({ page, tags = {} }: PageQuery) => {
      const found = all.filter((eip) => Object.entries(tags).every(([key, value]) => eip.tags[key] === value));
      asked.push(Object.keys(tags).length > 0 ? 'marked' : 'account');
      const eips = found.slice((page - 1) * 100, page * 100).filter(({ id }) => !skipped.has(id));
      return { total: found.length, eips };
    },
    describeIds: async (wanted: readonly string[]) => {
      asked.push(`ids ${wanted.length}`);
      return all.filter(({ id }) => wanted.includes(id));
    },
  } satisfies Pick<EipCalls, 'describePage' | 'describeIds'>;
  const run = async (given: Partial<SweepRequest> & { readonly ids: ReadonlySet<string> }) =>
    sweep(
      { clusterId: 'c1', isGone: () => false, accountTotal: undefined, markedTotal: 0, ...given },
      calls as unknown as EipCalls,
    );
  return { asked, run };
}

describe('what a sweep costs', () => {
  const rows = [
    { name: 'nothing to look at', marked: 0, others: 0, strangers: 0, asks: 1 },
    { name: '1,000 of ours', marked: 1000, others: 0, strangers: 0, asks: 10 },
    { name: '1,000 of ours in an account of 20,000', marked: 1000, others: 0, strangers: 19_000, asks: 10 },
    { name: '1,000 adopted or migrated ones', marked: 0, others: 1000, strangers: 0, asks: 11, again: 10 },
    { name: 'half and half', marked: 500, others: 500, strangers: 0, asks: 15, again: 10 },
    { name: '100 of ours and 40 others', marked: 100, others: 40, strangers: 500, asks: 2 },
    {
      name: '200 others among 10,000: lists, after one page to know',
      marked: 0,
      others: 200,
      strangers: 9800,
      asks: 6,
      again: 5,
    },
  ];
  test.each(rows)('$name', async ({ marked, others, strangers, asks, again }) => {
    const [ours, theirs] = [ids('m', marked), ids('o', others)];
    const account = createAccount(ours, [...ids('s', strangers), ...theirs]);
    const first = await account.run({ ids: new Set([...ours, ...theirs]) });
    expect(account.asked.splice(0).length).toBe(asks);
    const totals = { accountTotal: first.accountTotal, markedTotal: first.marked.length };
    const { observations } = await account.run({ ids: new Set([...ours, ...theirs]), ...totals });
    expect(account.asked.length).toBe(again ?? asks);
    expect([...observations.values()].every(({ kind }) => kind === 'seen')).toBe(true);
    expect(observations.size).toBe(marked + others);
  });
});

test('what a page skipped is asked for by its id, and is there', async () => {
  const account = createAccount(ids('m', 150), [], new Set(['m-7', 'm-120']));
  const { observations } = await account.run({ ids: new Set(ids('m', 150)) });
  expect(account.asked).toEqual(['marked', 'marked', 'ids 2']);
  expect(observations.get('m-7')?.kind).toBe('seen');
});

test('what is missing from a list is asked for by itself before it counts as gone, unless it was gone before', async () => {
  const account = createAccount(ids('m', 2), []);
  const wanted = new Set(['m-0', 'm-1', 'new-gone', 'old-gone']);
  const { observations } = await account.run({ ids: wanted, isGone: (id) => id === 'old-gone' });
  expect(account.asked).toEqual(['marked', 'ids 2', 'ids 1']);
  expect([observations.get('new-gone'), observations.get('old-gone')]).toEqual([
    { kind: 'absent' },
    { kind: 'absent' },
  ]);
});

test('all that carry the mark are told, asked for or not', async () => {
  const account = createAccount(['orphan', 'known'], []);
  const { marked } = await account.run({ ids: new Set(['known']) });
  expect(marked.map(({ id }) => id)).toEqual(['orphan', 'known']);
});
