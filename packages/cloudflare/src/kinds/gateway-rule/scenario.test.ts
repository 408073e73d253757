import { getCondition } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { worldOfEachTest } from '../../testing/world-of-each-test.ts';
import type { World } from '../../testing/world.ts';
import { gatewayRuleKind } from './resource.ts';

const rule = (name: string, spec: object): KubeObject =>
  ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayRule',
    metadata: { name },
    spec: { action: 'block', filters: ['dns'], cloudflare: {}, ...spec },
  }) as KubeObject;

let world: World;
worldOfEachTest((made) => (world = made));

const ready = (name: string) => getCondition(world.get(gatewayRuleKind, { name })?.status?.conditions, 'Ready');
const isReady = (name: string): boolean => {
  const { generation } = world.get(gatewayRuleKind, { name })?.metadata ?? {};
  return ready(name)?.status === 'True' && ready(name)?.observedGeneration === generation;
};
const path = (): string => `/accounts/${world.sim.accountId}/gateway/rules`;
const precedences = (): object =>
  Object.fromEntries(listAtDashboard(world.sim, path()).map((each) => [each.name, each['precedence']]));

test('a rule that is written in another way by Cloudflare is left alone by every look', async () => {
  const traffic = 'any( dns.domains[*]  IN  { "a.com"   "b.com" } )';
  await world.apply(rule('sites', { precedence: 1, traffic, identity: 'identity.email  == "x"' }));
  await world.waitFor(() => isReady('sites'));
  expect(listAtDashboard(world.sim, path())[0]?.['traffic']).not.toBe(traffic);
  world.clearCounts();
  await world.clock.advance(65 * 60_000);
  expect(world.sim.journal.count()).toBeGreaterThan(0);
  expect(world.sim.journal.calls({ write: true })).toEqual([]);
  expect(world.writes()).toEqual([]);
}, 60_000);

test('two rules that want one precedence: the younger one is told', async () => {
  await world.apply(rule('first', { precedence: 5 }));
  await world.waitFor(() => isReady('first'));
  await world.apply(rule('second', { precedence: 5 }));
  await world.waitFor(() => ready('second')?.status === 'False');
  expect(ready('second')).toMatchObject({
    reason: 'DuplicatePrecedence',
    message: 'spec.precedence: GatewayRule first has the precedence 5 already',
  });
  await world.delete(gatewayRuleKind, { name: 'first' });
  await world.waitFor(() => isReady('second'));
  expect(precedences()).toEqual({ second: 5 });
});

test('two rules swap their precedences', async () => {
  await world.apply([rule('a', { precedence: 1 }), rule('b', { precedence: 2 })]);
  await world.waitFor(() => isReady('a') && isReady('b'));
  await world.apply([rule('a', { precedence: 2 }), rule('b', { precedence: 3 })]);
  await world.apply(rule('b', { precedence: 1 }));
  await world.waitFor(() => isReady('a') && isReady('b'), 10 * 60_000);
  expect(precedences()).toEqual({ a: 2, b: 1 });
});

test('the precedence of somebody else’s rule is told with its name, and that rule is left alone', async () => {
  const body = { name: 'theirs', action: 'allow', precedence: 7 };
  atDashboard(world.sim, 'POST', path(), body);
  await world.apply(rule('mine', { precedence: 7 }));
  await world.waitFor(() => ready('mine')?.status === 'False' && ready('mine')?.reason !== 'Pending', 10 * 60_000);
  expect(ready('mine')?.message).toContain('the rule theirs has the precedence 7');
  expect(precedences()).toEqual({ theirs: 7 });
});

test.each([
  ['spec.ruleSettings.checkSession.duration', { ruleSettings: { checkSession: { enforce: true, duration: 'soon' } } }],
  ['spec.expiration.expiresAt', { expiration: { expiresAt: 'tomorrow' } }],
])('what would be lost on the way is refused: %s', async (field, spec) => {
  await world.apply(rule('wrong', { precedence: 1, ...spec }));
  await world.waitFor(() => ready('wrong')?.reason === 'InvalidConfig');
  expect(ready('wrong')?.message).toContain(field);
  expect(precedences()).toEqual({});
});
