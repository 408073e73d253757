import { configMapKind, getCondition } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { worldOfEachTest } from '../../testing/world-of-each-test.ts';
import type { World } from '../../testing/world.ts';
import { gatewayListKind } from './resource.ts';

const list = (spec: object): KubeObject =>
  ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayList',
    metadata: { name: 'bad' },
    spec: { type: 'DOMAIN', cloudflare: {}, ...spec },
  }) as KubeObject;
const configMap = (domains: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'feed' },
    data: { domains },
  }) as KubeObject;

let world: World;
worldOfEachTest((made) => (world = made));

const status = () => world.get(gatewayListKind, { name: 'bad' })?.status;
const ready = () => getCondition(status()?.conditions, 'Ready');
const isReady = (): boolean =>
  ready()?.status === 'True' &&
  ready()?.observedGeneration === world.get(gatewayListKind, { name: 'bad' })?.metadata.generation;
const path = (): string => `/accounts/${world.sim.accountId}/gateway/lists`;
const values = (): readonly unknown[] =>
  listAtDashboard(world.sim, `${path()}/${status()?.listId ?? ''}/items`).map(({ value }) => value);

test('items of the object and of a ConfigMap are in the list, and follow both', async () => {
  const itemsFromConfigMap = { name: 'feed', key: 'domains' };
  await world.apply(list({ items: [{ value: 'a.com' }], itemsFromConfigMap }));
  await world.waitFor(() => ready()?.reason === 'CollectItemsFailed');
  expect(ready()?.message).toContain('ConfigMap default/feed');
  await world.apply(configMap('# feed\n\n  b.com \nA.com\n'));
  await world.waitFor(isReady);
  expect(values()).toEqual(['a.com', 'b.com']);
  expect(status()).toMatchObject({ state: 'Ready', itemCount: 3, accountId: world.sim.accountId });
  await world.apply(configMap('c.com'));
  await world.waitFor(() => values().includes('c.com'));
  expect(values()).toEqual(['a.com', 'c.com']);
  await world.delete(configMapKind, { namespace: 'default', name: 'feed' });
  await world.waitFor(() => ready()?.reason === 'CollectItemsFailed');
  expect(values()).toEqual(['a.com', 'c.com']);
});

test('items are changed by what comes and what goes, and no PUT ever carries items', async () => {
  await world.apply(list({ items: [{ value: 'a.com' }, { value: 'b.com' }] }));
  await world.waitFor(isReady);
  world.clearCounts();
  await world.apply(list({ description: 'now empty', items: [] }));
  await world.waitFor(isReady);
  expect(values()).toEqual([]);
  const writes = world.sim.journal.calls({ write: true });
  expect(writes.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { name: 'bad', description: 'now empty [managed-by:GatewayList//bad]' }],
    ['PATCH', { remove: ['a.com', 'b.com'] }],
  ]);
});

test('another type is another list', async () => {
  await world.apply(list({ items: [{ value: 'a.com' }] }));
  await world.waitFor(isReady);
  const before = status()?.listId;
  await world.apply(list({ type: 'IP', items: [{ value: '192.0.2.0/24' }] }));
  await world.waitFor(() => isReady() && status()?.listId !== before);
  await world.waitFor(() => listAtDashboard(world.sim, path()).length === 1);
  expect(values()).toEqual(['192.0.2.0/24']);
});

test('a list that a rule uses is not deleted, and the rule is named; it goes when the rule is gone', async () => {
  await world.apply(list({ items: [{ value: 'a.com' }] }));
  await world.waitFor(isReady);
  const rules = `/accounts/${world.sim.accountId}/gateway/rules`;
  const traffic = `any(dns.domains[*] in $${(status()?.listId ?? '').replaceAll('-', '')})`;
  const { id } = atDashboard(world.sim, 'POST', rules, { name: 'block bad', action: 'block', traffic });
  await world.delete(gatewayListKind, { name: 'bad' });
  await world.waitFor(() => ready()?.message.includes('rules use it: block bad') ?? false);
  expect(listAtDashboard(world.sim, path())).toHaveLength(1);
  atDashboard(world.sim, 'DELETE', `${rules}/${id}`);
  await world.waitFor(() => world.get(gatewayListKind, { name: 'bad' }) === undefined, 20 * 60_000);
  expect(listAtDashboard(world.sim, path())).toEqual([]);
});
