import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';

type Pairs = Readonly<Record<string, string>>;

function tagParams(pairs: Pairs): Record<string, string> {
  const entries = Object.entries(pairs).map(([key, value], index): readonly [string, string][] => [
    [`Tag.${index + 1}.Key`, key],
    [`Tag.${index + 1}.Value`, value],
  ]);
  return Object.fromEntries(entries.flat());
}

async function startTagged(pairs: Pairs): Promise<TestSim & { readonly id: string; readonly on: Pairs }> {
  const world = await startTestSim();
  const id = await world.allocate(tagParams(pairs));
  return { ...world, id, on: { ResourceType: 'EIP', 'ResourceId.1': id } };
}

function many(count: number): Pairs {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

test('tagging adds keys and overwrites the values of those that are there', async () => {
  const { call, sim, id, on } = await startTagged({ a: '1', b: '2' });
  await call('TagResources', { ...on, ...tagParams({ b: '3', c: '' }) });
  expect(sim.state.tags(id)).toEqual({ a: '1', b: '3', c: '' });
});

test('tagging with what is there already changes nothing', async () => {
  const { call, sim, on } = await startTagged({ a: '1', b: '2' });
  await call('TagResources', { ...on, ...tagParams({ b: '2' }) });
  await call('UnTagResources', { ...on, 'TagKey.1': 'none' });
  expect(sim.journal.countByAction({ changed: true })).toEqual({ AllocateEipAddress: 1 });
});

test('50 resources are tagged in one call', async () => {
  const { sim, codeOf } = await startTagged({});
  const ids = Array.from({ length: 50 }, () => sim.dashboard.allocate());
  const named = Object.fromEntries(ids.map((id, index) => [`ResourceId.${index + 1}`, id]));
  expect(await codeOf('TagResources', { ResourceType: 'EIP', ...named, ...tagParams({ k: 'v' }) })).toBe('');
  expect(ids.every((id) => sim.state.tags(id)?.['k'] === 'v')).toBe(true);
});

test('untagging takes away the named keys, or all', async () => {
  const { call, sim, id, on } = await startTagged({ a: '1', b: '2', c: '3' });
  await call('UnTagResources', { ...on, 'TagKey.1': 'a', 'TagKey.2': 'none', All: 'true' });
  expect(sim.state.tags(id)).toEqual({ b: '2', c: '3' });
  await call('UnTagResources', { ...on, All: 'true' });
  expect(sim.state.tags(id)).toEqual({});
});

const refused: readonly { name: string; pairs: Pairs; code: string }[] = [
  { name: 'more than 20 in all', pairs: { new: 'v' }, code: 'QuotaExceeded.TagPerResource' },
  { name: 'more than 20 at once', pairs: many(21), code: 'NumberExceed.Tags' },
  { name: 'an empty key', pairs: { '': 'v' }, code: 'InvalidTagKey' },
  { name: 'a key that begins with aliyun', pairs: { aliyunX: 'v' }, code: 'InvalidTagKey' },
  { name: 'a key that begins with acs:', pairs: { 'acs:x': 'v' }, code: 'InvalidTagKey' },
  { name: 'a key with a page in it', pairs: { 'a http://b': 'v' }, code: 'InvalidTagKey' },
  { name: 'a long key', pairs: { ['k'.repeat(129)]: 'v' }, code: 'InvalidTagKey' },
  { name: 'a long value', pairs: { k0: 'v'.repeat(129) }, code: 'InvalidTagValue' },
  { name: 'a value with a page in it', pairs: { k0: 'see https://b' }, code: 'InvalidTagValue' },
  { name: 'a value that begins with acs:', pairs: { k0: 'acs:b' }, code: 'InvalidTagValue' },
];
for (const { name, pairs, code } of refused) {
  test(`tagging with ${name} is refused with ${code}`, async () => {
    const { codeOf, sim, id, on } = await startTagged(many(20));
    expect(await codeOf('TagResources', { ...on, ...tagParams(pairs) })).toBe(code);
    expect(sim.state.tags(id)).toEqual(many(20));
  });
}

test('the same key twice is refused', async () => {
  const { codeOf, on } = await startTagged({});
  const twice = { 'Tag.1.Key': 'k', 'Tag.1.Value': 'a', 'Tag.2.Key': 'k', 'Tag.2.Value': 'b' };
  expect(await codeOf('TagResources', { ...on, ...twice })).toBe('Duplicate.TagKey');
});

test('one resource that is not there, or full, stops all of them', async () => {
  const { codeOf, sim, id, allocate } = await startTagged({});
  const full = await allocate(tagParams(many(20)));
  const named = { ResourceType: 'EIP', 'ResourceId.1': id, ...tagParams({ x: 'y' }) };
  expect(await codeOf('TagResources', { ...named, 'ResourceId.2': 'eip-none' })).toBe('InvalidResourceId.NotFound');
  expect(await codeOf('TagResources', { ...named, 'ResourceId.2': full })).toBe('QuotaExceeded.TagPerResource');
  expect(sim.state.tags(id)).toEqual({});
});

test('other resource types, more than 50 resources and more than 20 keys are refused', async () => {
  const { codeOf, on } = await startTagged({});
  const pairs = tagParams({ x: 'y' });
  expect(await codeOf('TagResources', { ...on, ...pairs, ResourceType: 'VPC' })).toBe('InvalidResourceType.NotFound');
  const ids = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`ResourceId.${index + 1}`, `eip-${index}`]));
  expect(await codeOf('TagResources', { ...on, ...pairs, ...ids })).toBe('NumberExceed.ResourceIds');
  const keys = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`TagKey.${index + 1}`, `k${index}`]));
  expect(await codeOf('UnTagResources', { ...on, ...keys })).toBe('NumberExceed.Tags');
});

test('tags are listed page by page, by resource and by tag', async () => {
  const { call, codeOf, id, allocate } = await startTagged({ a: '1', b: '2', c: '3' });
  await allocate(tagParams({ a: '9' }));
  const list = async (params: Pairs): Promise<{ keys: string; next: string | undefined }> => {
    const { body } = await call('ListTagResources', { ResourceType: 'EIP', ...params });
    const rows = body.TagResources.TagResource as { TagKey: string; TagValue: string }[];
    return { keys: rows.map(({ TagKey, TagValue }) => `${TagKey}${TagValue}`).join(), next: body.NextToken };
  };
  const first = await list({ 'ResourceId.1': id, MaxResults: '2' });
  expect(first).toEqual({ keys: 'a1,b2', next: expect.any(String) as string });
  const second = await list({ 'ResourceId.1': id, MaxResults: '2', NextToken: first.next! });
  expect(second).toEqual({ keys: 'c3', next: undefined });
  expect((await list({ 'Tag.1.Key': 'a' })).keys).toBe('a1,b2,c3,a9');
  expect((await list({ 'Tag.1.Key': 'a', 'Tag.1.Value': '9' })).keys).toBe('a9');
  for (const [params, code] of [
    [{}, 'MissingParameter'],
    [{ 'ResourceId.1': id, MaxResults: '51' }, 'InvalidParameter'],
    [{ 'ResourceId.1': id, NextToken: 'x' }, 'InvalidParameter'],
  ] as const) {
    expect(await codeOf('ListTagResources', { ResourceType: 'EIP', ...params })).toBe(code);
  }
});
