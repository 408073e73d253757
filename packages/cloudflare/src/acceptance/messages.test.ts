import { getCondition } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allKinds } from '../catalog.ts';
import { custom, dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { objectsOf } from './testing/one-of-each.ts';

// What somebody reads who has made a mistake that no schema can see: which field or object it is about, and what to do.

type Row = readonly [mistake: string, object: KubeObject, reason: string, message: string];

const account = 'deadbeefdeadbeefdeadbeefdeadbeef';
const inDefault = { namespace: 'default' };
const waf = 'http_request_firewall_custom';
const details = { cloudflare: {} };
const longText = 'a very long comment that goes on and on until nobody can read it any more, and then some, and more';

const rows: readonly Row[] = [
  [
    'credentials of a wrong name',
    dnsRecord('a', { content: '192.0.2.1', cloudflare: { credentialsRef: { name: 'mian' } } }),
    'CredentialsNotFound',
    'CloudflareCredentials mian is not there',
  ],
  [
    'an account that the token is not for',
    custom('CloudflareCredentials', 'b', { accountId: account, secretRef: { name: 'main-token' } }),
    'PermissionDenied',
    `the credentials are not for account ${account} but for`,
  ],
  [
    'an entry that the Secret has not',
    custom('CloudflareCredentials', 'c', { accountId: account, secretRef: { name: 'main-token', apiTokenKey: 'KEY' } }),
    'CredentialsMissing',
    'Secret cloudflare-operator-system/main-token has no entry KEY',
  ],
  [
    'a Secret without an account',
    custom('Tunnel', 'd', { newTunnel: { name: 'd' }, cloudflare: { secret: 'any' } }, inDefault),
    'AccountUnknown',
    'spec.cloudflare.accountId, or accountName: needed where a Secret is named without credentials',
  ],
  [
    'a name without a domain',
    dnsRecord('e', { name: 'www', content: '192.0.2.1', cloudflare: {} }),
    'ZoneUnknown',
    'no zone for www: name spec.cloudflare.domain or make a CloudflareDomain',
  ],
  [
    'a domain that is not at Cloudflare',
    dnsRecord('f', { name: 'www.example.org', content: '192.0.2.1', cloudflare: { domain: 'example.org' } }),
    'ZoneNotFound',
    'there is no zone example.org in account',
  ],
  [
    'a name outside of its domain',
    dnsRecord('g', { name: 'www.example.com.', content: '192.0.2.1', cloudflare: { domain: 'example.net' } }),
    'NotInZone',
    'does not lie in the zone example.net',
  ],
  [
    'an address that is none',
    dnsRecord('h', { content: '192.0.2.999' }),
    'ValidationFailed',
    'Content for A record must be a valid IPv4 address. (9005); not tried again as it is',
  ],
  [
    'a comment too long for its zone',
    dnsRecord('i', { content: '192.0.2.1', comment: longText, cloudflare: { domain: 'example.com' }, name: 'i' }),
    'ValidationFailed',
    'characters too long: with our mark it must fit into 100',
  ],
  [
    'a record that somebody made by hand',
    dnsRecord('taken', { type: 'CNAME', content: 'b.example.org' }),
    'NotOwned',
    'annotate the object with cloudflare-operator.io/adopt: "true" to take it over',
  ],
  [
    'a Service that is not there',
    dnsRecord('j', { type: undefined, sourceRef: { service: { name: 'nothing' } } }),
    'SourceDeleted',
    'Service default/nothing is not there',
  ],
  [
    'a tunnel that is not at Cloudflare',
    custom('ClusterTunnel', 'k', { existingTunnel: { name: 'nowhere' }, ...details }),
    'NotFound',
    'there is no tunnel nowhere in account',
  ],
  [
    'a tunnel that is in error itself',
    custom('NetworkRoute', 'l', { network: '10.0.0.0/8', tunnelRef: { name: 'k' }, ...details }),
    'DependencyError',
    'ClusterTunnel k has no tunnel id yet',
  ],
  [
    'a group that is not there',
    custom('AccessApplication', 'm', { domain: 'm.example.com', policies: [{ name: 'employees' }], ...details }),
    'DependencyError',
    'AccessGroup employees is not there',
  ],
  [
    'a zone that is not at Cloudflare',
    custom(
      'ZoneRuleset',
      'o',
      { zone: 'example.org', phase: waf, rules: [{ expression: 'true', action: 'block' }] },
      inDefault,
    ),
    'ZoneNotFound',
    'there is no zone example.org in account',
  ],
  [
    'a queue that is not there',
    custom(
      'R2BucketNotification',
      'p',
      { bucketName: 'b', queueName: 'jobs', rules: [{ eventTypes: ['object-create'] }] },
      inDefault,
    ),
    'ReconcileError',
    'queue jobs is not there; tried again by itself',
  ],
  [
    'a ConfigMap that is not there',
    custom('GatewayList', 'q', { type: 'DOMAIN', itemsFromConfigMap: { name: 'nope', key: 'k' }, ...details }),
    'CollectItemsFailed',
    'spec.itemsFromConfigMap: ConfigMap default/nope with the entry k is not there',
  ],
];

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const zone = world.sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';
  const taken = { type: 'CNAME', name: 'taken.example.net', content: 'a.example.org', ttl: 300, comment: 'by hand' };
  atDashboard(world.sim, 'POST', `/zones/${zone}/dns_records`, taken);
  await world.applyCredentials();
  await world.apply(rows.map(([, object]) => object));
  await world.clock.advance(60_000);
});
afterAll(async () => world.stop());

test.each(rows)('%s', (_mistake, { kind, metadata }, reason, message) => {
  const known = allKinds.find((each) => each.kind === kind);
  const found = known && objectsOf(world, known).find((object) => object.metadata.name === metadata.name);
  const ready = getCondition<Condition>(found?.status?.conditions, 'Ready');
  expect(ready).toMatchObject({ status: 'False', reason });
  expect(ready?.message).toContain(message);
});
