import { getCondition, isTrue } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { dnsRecordKind } from '../kinds/dns-record/resource.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
afterEach(async () => world.stop());

const domain = 'example.net';
const many = (count: number): readonly KubeObject[] =>
  Array.from({ length: count }, (_, index) => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DNSRecord',
    metadata: { namespace: 'default', name: `h${index}` },
    spec: { name: `h${index}.${domain}`, type: 'A', content: '192.0.2.1', cloudflare: { domain } },
  }));
const reasons = (): readonly string[] =>
  world.list(dnsRecordKind).map(({ status }) => getCondition(status?.conditions, 'Ready')?.reason ?? '');
const readyCount = (): number =>
  world.list(dnsRecordKind).filter(({ status }) => isTrue(status?.conditions, 'Ready')).length;

test('three replicas bring many records of a zone there in one batch', { timeout: 60_000 }, async () => {
  world = await createWorld({ replicas: 3 });
  await world.applyCredentials();
  await world.apply(many(60));
  await world.waitFor(() => readyCount() === 60);
  // Token, account, zone, its records, its plan, and the batch.
  expect(world.sim.journal.count()).toBe(6);
  expect(world.writes()).toHaveLength(4 * 60 + 4 + 3);
});

test('in a zone with too little room, what fits lands and the others are told', { timeout: 60_000 }, async () => {
  world = await createWorld({ sim: { zones: [{ name: domain, plan: 'pro', recordQuota: 40 }] } });
  await world.applyCredentials();
  await world.apply(many(60));
  await world.waitFor(() => reasons().every((reason) => reason !== ''));
  expect(readyCount()).toBe(40);
  expect(reasons().filter((reason) => reason !== 'Synced')).toEqual(Array.from({ length: 20 }, () => 'QuotaExceeded'));
  expect(world.sim.journal.count()).toBeLessThanOrEqual(6 + 9);
});
