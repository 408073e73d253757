import { expect, test } from 'vitest';
import { sourceOf, startSimCall } from '../testing/sim-call.ts';
import { markedWish, relationByName } from './marked-object.ts';
import { gatewayRuleTarget } from './gateway-rule/sync.ts';

const mark = '[managed-by:GatewayRule//a]';

test.each([
  ['same', { name: 'x', description: '' }],
  ['same', { name: 'x', description: '[managed-by:GatewayRule//b]' }],
  ['beside', { name: 'before', description: `old text ${mark}` }],
  ['none', { name: 'before', description: '[managed-by:GatewayRule//b]' }],
  ['none', { name: 'before' }],
])('it is %s: %j', (relation, shown) => {
  expect(relationByName({ name: 'x', description: `text ${mark}` }, { id: '1', ...shown })).toBe(relation);
});

test('the first source is the object, with its mark behind what the user wrote', () => {
  const source = (name: string) =>
    sourceOf({ kind: 'GatewayRule', name }, { name, description: 'text', body: { a: 1 } });
  expect(markedWish([source('a'), source('b')], 'rule')).toMatchObject({
    ok: true,
    desired: { name: 'a', body: { a: 1, name: 'a', description: `text ${mark}` } },
    losers: [{ ref: { name: 'b' }, winner: { name: 'a' }, what: 'rule a' }],
  });
});

test('what is shown as deleted is not there', async () => {
  const { sim, call } = await startSimCall();
  const rules = [
    { id: '1', name: 'gone', deleted_at: '2026-01-01T00:00:00Z' },
    { id: '2', name: 'there', deleted_at: null },
  ];
  const page = { getPaginatedItems: () => rules, hasNextPage: () => false };
  const api = { zeroTrust: { gateway: { rules: { list: () => page } } } };
  const key = { accountId: sim.accountId, owner: 'GatewayRule/a' };
  const found = await gatewayRuleTarget.observe.list?.(key, { ...call, api: api as never });
  expect(found?.map(({ name }) => name)).toEqual(['there']);
  await sim.stop();
});
