import type { Kind, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { r2BucketDomainKind } from '../kinds/r2-bucket-domain/resource.ts';
import { r2BucketNotificationKind } from '../kinds/r2-bucket-notification/resource.ts';
import { r2BucketKind } from '../kinds/r2-bucket/resource.ts';
import { redirectRuleKind } from '../kinds/redirect-rule/resource.ts';
import { transformRuleKind } from '../kinds/transform-rule/resource.ts';
import { zoneRulesetKind } from '../kinds/zone-ruleset/resource.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
}, 120_000);
afterAll(async () => world.stop());

function rules(phase: string): readonly unknown[] {
  const zone = world.sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';
  const entry = atDashboard(world.sim, 'GET', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`);
  return ((entry['rules'] ?? []) as readonly { readonly expression: string }[]).map(({ expression }) => expression);
}

test('rules of two kinds in one phase come together, and each goes alone', async () => {
  const target = { targetUrl: { value: 'https://example.net/x' }, statusCode: 301 };
  await world.create(zoneRulesetKind, 'z', {
    zone: 'example.net',
    phase: 'http_request_dynamic_redirect',
    priority: 10,
    rules: [{ expression: 'http.host eq "z"', action: 'redirect', actionParameters: { redirect: target } }],
  });
  await world.create(redirectRuleKind, 'r', {
    zone: 'example.net',
    rules: [{ name: 'r', expression: 'http.host eq "r"', target: { url: 'https://example.net/' } }],
  });
  await world.create(transformRuleKind, 't', {
    zone: 'example.net',
    type: 'request_header',
    rules: [{ name: 't', expression: 'true', headers: [{ name: 'X-T', operation: 'set', value: '1' }] }],
  });
  await world.untilReady(zoneRulesetKind, 'z');
  const { status } = await world.untilReady(redirectRuleKind, 'r');
  expect(status).toMatchObject({ state: 'Ready', ruleCount: 1 });
  await world.untilReady(transformRuleKind, 't');
  expect(rules('http_request_dynamic_redirect')).toEqual(['http.host eq "z"', 'http.host eq "r"']);
  expect(rules('http_request_late_transform')).toEqual(['true']);
  await world.untilGone(zoneRulesetKind, 'z');
  expect(rules('http_request_dynamic_redirect')).toEqual(['http.host eq "r"']);
  await world.untilGone(redirectRuleKind, 'r');
  await world.untilGone(transformRuleKind, 't');
  const left = await world.client.list(syncStateKind);
  expect(left.items.map(({ spec }) => spec.resourceType)).not.toContain('ZoneRuleset');
});

const rule = { expression: 'true', action: 'block' };
const zone = 'example.net';
test.each<readonly [string, Kind<KubeObject>, object]>([
  ['spec.phase', zoneRulesetKind, { zone, phase: 'http_nothing', rules: [rule] }],
  ['spec.rules', zoneRulesetKind, { zone, phase: 'http_ratelimit', rules: [] }],
  ['spec.rules[0].action', zoneRulesetKind, { zone, phase: 'http_ratelimit', rules: [{ ...rule, action: 'x' }] }],
  ['spec.type', transformRuleKind, { zone, type: 'x', rules: [{ name: 'x', expression: 'true' }] }],
  ['spec.rules', redirectRuleKind, { zone }],
  ['spec.name', r2BucketKind, { name: '-x-' }],
  ['spec.cors[0].allowedMethods', r2BucketKind, { cors: [{ allowedOrigins: ['*'], allowedMethods: [] }] }],
  ['spec.rules', r2BucketNotificationKind, { bucketName: 'b', queueName: 'q', rules: [] }],
])('the server refuses what is wrong with %s by name', async (field, kind, spec) => {
  await expect(world.create(kind, 'wrong', spec)).rejects.toThrow(field);
});

test('a bucket has a domain, which comes and goes without it', async () => {
  await world.create(r2BucketDomainKind, 'cdn', { bucketName: 'files', domain: 'cdn.example.com' });
  await world.create(r2BucketKind, 'files', {});
  const domains = `/accounts/${world.sim.accountId}/r2/buckets/files/domains/custom`;
  const { status } = await world.untilReady(
    r2BucketDomainKind,
    'cdn',
    (told) => told.status?.['domainId'] !== undefined,
  );
  expect(status).toMatchObject({ domainId: 'cdn.example.com' });
  expect(atDashboard(world.sim, 'GET', domains)['domains']).toMatchObject([{ domain: 'cdn.example.com' }]);
  await world.untilGone(r2BucketDomainKind, 'cdn');
  expect(atDashboard(world.sim, 'GET', domains)['domains']).toEqual([]);
  await world.untilGone(r2BucketKind, 'files');
});

test('a bucket and what it tells a queue come and go, in whatever order', async () => {
  const account = `/accounts/${world.sim.accountId}`;
  const queue = atDashboard(world.sim, 'POST', `${account}/queues`, { queue_name: 'jobs' });
  const events = { bucketName: 'photos', queueName: 'jobs', rules: [{ eventTypes: ['object-create'] }] };
  await world.create(r2BucketNotificationKind, 'n', events);
  await world.create(r2BucketKind, 'photos', { cors: [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }] });
  expect((await world.untilReady(r2BucketKind, 'photos')).status).toMatchObject({ state: 'Ready', corsRulesCount: 1 });
  expect((await world.untilReady(r2BucketNotificationKind, 'n')).status).toMatchObject({ queueId: queue['queue_id'] });
  await Promise.all([world.untilGone(r2BucketKind, 'photos'), world.untilGone(r2BucketNotificationKind, 'n')]);
  expect(atDashboard(world.sim, 'GET', `${account}/r2/buckets`)['buckets']).toEqual([]);
});
