import { getCondition } from '@tributary/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allKinds, contributors, targets } from '../catalog.ts';
import { sourceId } from '../engine/l4-state/source.ts';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import type { SyncState } from '../engine/l4-state/sync-state.ts';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { custom, dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { deletionClassOf } from './testing/deletion-class.ts';
import { buildOneOfEach, objectsOf, oneOfEach } from './testing/one-of-each.ts';

// Points 1 to 4 of seed 001; points 5 to 8 stand in seed-001-safety.test.ts. That layer 2 cannot even reach the client is
// shown by the constitution, rule 1.

const www = { namespace: 'default', name: 'www' };
const statesOf = (world: World): readonly SyncState[] => world.list(syncStateKind);

describe('with at least one object of each kind', { timeout: 120_000 }, () => {
  let world: World;
  beforeAll(async () => {
    world = await buildOneOfEach();
  });
  afterAll(async () => world.stop());

  /** Kinds that say how others are served, or that run something here, ask nothing of Cloudflare. */
  const asksNothing = ['CloudflareSyncState', 'TunnelIngressClassConfig', 'TunnelGatewayClassConfig', 'AccessTunnel'];
  const asking = allKinds.filter((kind) => !asksNothing.includes(kind.kind));

  test('1. every object goes through the layers: it is a source of a SyncState, and that is in step', () => {
    const sources = statesOf(world).flatMap(({ spec }) => spec.sources ?? []);
    const known = new Set(sources.map(({ ref }) => sourceId(ref)));
    const objects = asking.flatMap((kind) =>
      objectsOf(world, kind).map(({ metadata: { namespace, name = '' } }) => ({ kind: kind.kind, namespace, name })),
    );
    expect(objects.length).toBeGreaterThan(30);
    expect(objects.map(sourceId).filter((id) => !known.has(id))).toEqual([]);
    expect(statesOf(world).filter(({ status }) => status?.syncStatus !== 'Synced')).toEqual([]);
  });

  test('1. what is applied again as it is costs no write and no call', async () => {
    world.clearCounts();
    await world.apply(oneOfEach());
    await world.clock.advance(30_000);
    expect(world.writes()).toEqual([]);
    expect(world.sim.journal.calls()).toEqual([]);
  });

  test('3. every such object has the finalizer of its resource, every SyncState that of its sync', () => {
    for (const kind of asking) {
      const own = `${kind.kind.toLowerCase()}.cloudflare-operator.io/finalizer`;
      for (const { metadata } of objectsOf(world, kind)) expect(metadata.finalizers).toEqual([own]);
    }
    const words: Readonly<Record<string, string>> = {
      DNSRecord: 'dns',
      TunnelConfiguration: 'tunnelconfig',
      PagesProject: 'pages-project',
      PagesDomain: 'pages-domain',
      PagesDeployment: 'pages-deployment',
      PagesPromotion: 'pages-promotion',
    };
    for (const { metadata, spec } of statesOf(world)) {
      const word = words[spec.resourceType] ?? spec.resourceType.toLowerCase();
      expect(metadata.finalizers).toEqual([`${word}.sync.cloudflare-operator.io/finalizer`]);
    }
  });

  test('4. every SyncState shows state, hash, time and id, and its type as a label', () => {
    expect(statesOf(world).length).toBeGreaterThan(30);
    for (const { metadata, spec, status } of statesOf(world)) {
      expect(metadata.labels).toMatchObject({ 'cloudflare-operator.io/resource-type': spec.resourceType });
      expect(status).toMatchObject({
        syncStatus: 'Synced',
        configHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
        lastSyncTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        cloudflareID: expect.stringMatching(/./) as string,
        observedGeneration: metadata.generation,
      });
      expect(status).not.toHaveProperty('lastError');
      expect(getCondition(status?.conditions, 'Ready')).toMatchObject({ status: 'True', reason: 'Synced' });
    }
  });
});

describe('1. creation and change', () => {
  let world: World;
  afterEach(async () => world.stop());

  test('layers 2 and 3 by themselves write SyncStates and call nobody', { timeout: 60_000 }, async () => {
    world = await createWorld({ targets: [] });
    await world.applyCredentials();
    await world.apply(oneOfEach());
    await world.clock.advance(60_000);
    expect(statesOf(world).length).toBeGreaterThan(8);
    expect(world.sim.journal.calls()).toEqual([]);
  });

  test('first the finalizer, then the SyncState with its source, then its status, then that of the object', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(dnsRecord('before', { content: '192.0.2.9' }));
    await world.clock.advance(20_000);
    world.clearCounts();
    await world.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await world.clock.advance(20_000);
    const ofZone = (name: string): boolean => name.startsWith('cloudflare-domain-');
    expect(
      world
        .writes()
        .filter(({ name }) => !ofZone(name))
        .map(({ method, resource }) => `${method} ${resource}`),
    ).toEqual([
      'PATCH dnsrecords',
      'POST cloudflaresyncstates',
      'PATCH cloudflaresyncstates/status',
      'PATCH dnsrecords/status',
    ]);
  });
});

describe('2. deletion', { timeout: 180_000 }, () => {
  let world: World;
  afterEach(async () => world.stop());

  test('is what the class of the kind says: delete, clear, or keep', async () => {
    world = await buildOneOfEach();
    const told: Record<string, string> = {};
    for (const [name] of classes) {
      const kind = allKinds.find((each) => each.kind === name);
      if (kind) told[name] = await deletionClassOf(world, kind);
    }
    expect(told).toEqual(Object.fromEntries(classes));
    const sources = statesOf(world).flatMap(({ spec }) => spec.sources ?? []);
    expect(sources.map(({ ref }) => ref.kind).filter((kind) => kind in told)).toEqual([]);
  });

  test('of a tunnel that was there clears its configuration and keeps the tunnel', async () => {
    world = await createWorld();
    await world.applyCredentials();
    const account = `/accounts/${world.sim.accountId}`;
    const { id } = atDashboard(world.sim, 'POST', `${account}/cfd_tunnel`, { name: 'found', config_src: 'cloudflare' });
    await world.apply(
      custom('ClusterTunnel', 'found', { existingTunnel: { id }, enableWarpRouting: true, cloudflare: {} }),
    );
    const configured = ({ spec, status }: SyncState): boolean =>
      spec.resourceType === 'TunnelConfiguration' && status?.syncStatus === 'Synced';
    await world.waitFor(() => statesOf(world).some(configured));
    const kind = allKinds.find((each) => each.kind === 'ClusterTunnel');
    expect(kind && (await deletionClassOf(world, kind))).toBe('cleared');
    expect(atDashboard(world.sim, 'GET', `${account}/cfd_tunnel/${id}`)).toMatchObject({ deleted_at: null });
  });

  test('waits until the remote side is gone before the finalizer goes', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await world.waitFor(() => world.get(dnsRecordKind, www)?.status?.state === 'Active');
    await world.clock.advance(5000);
    const fault = { kind: 'server-error', when: 'before' } as const;
    world.sim.faults.arm({ match: { method: 'DELETE' }, fault, count: 2 });
    await world.delete(dnsRecordKind, www);
    await world.clock.advance(1500);
    expect(world.get(dnsRecordKind, www)?.metadata.finalizers).toEqual(['dnsrecord.cloudflare-operator.io/finalizer']);
    await world.waitFor(() => world.get(dnsRecordKind, www) === undefined, 120_000);
    expect(world.sim.state.rows('dns_records', world.sim.zones[1]?.id ?? '')).toEqual([]);
  });
});

/** In an order in which nothing that is still used goes first. */
const classes = [
  ['AccessApplication', 'deleted'],
  ['AccessPolicy', 'deleted'],
  ['AccessGroup', 'deleted'],
  ['AccessServiceToken', 'deleted'],
  ['AccessIdentityProvider', 'deleted'],
  ['GatewayRule', 'deleted'],
  ['GatewayList', 'deleted'],
  ['GatewayConfiguration', 'kept'],
  ['DevicePostureRule', 'deleted'],
  ['DeviceSettingsPolicy', 'cleared'],
  ['PagesPromotion', 'kept'],
  ['PagesDeployment', 'kept'],
  ['PagesDomain', 'deleted'],
  ['PagesProject', 'deleted'],
  ['R2BucketNotification', 'deleted'],
  ['R2BucketDomain', 'deleted'],
  ['R2Bucket', 'deleted'],
  ['ZoneRuleset', 'cleared'],
  ['TransformRule', 'cleared'],
  ['RedirectRule', 'cleared'],
  ['OriginCACertificate', 'deleted'],
  ['DomainRegistration', 'kept'],
  ['WARPConnector', 'deleted'],
  ['PrivateService', 'deleted'],
  ['NetworkRoute', 'deleted'],
  ['VirtualNetwork', 'deleted'],
  ['DNSRecord', 'deleted'],
  ['CloudflareDomain', 'kept'],
] as const;

describe('4. the SyncState', () => {
  let world: World;
  afterEach(async () => world.stop());

  test('has the group, scope, names, columns and required fields of the specification', async () => {
    world = await createWorld({ replicas: 0 });
    const { spec } = syncStateKind.toCrd();
    const [version] = spec.versions;
    expect(spec).toMatchObject({ group: 'networking.cloudflare-operator.io', scope: 'Cluster' });
    expect(spec.names).toMatchObject({ plural: 'cloudflaresyncstates', shortNames: ['cfss', 'syncstate'] });
    expect(version).toMatchObject({ name: 'v1alpha2', served: true, storage: true, subresources: { status: {} } });
    const columns = version?.additionalPrinterColumns?.filter(({ priority = 0 }) => priority === 0) ?? [];
    expect(columns.map(({ name, type, jsonPath }) => `${name} ${type} ${jsonPath}`)).toEqual([
      'Type string .spec.resourceType',
      'CloudflareID string .spec.cloudflareId',
      'Status string .status.syncStatus',
      'Version integer .status.configVersion',
      'Age date .metadata.creationTimestamp',
    ]);
    const types: readonly string[] = targets.map(({ contract }) => contract.type);
    expect(types.length).toBeGreaterThan(20);
    const bare = { resourceType: 'DNSRecord', cloudflareId: 'x', accountId: 'a', credentialsRef: { name: 'main' } };
    await world.apply(custom('CloudflareSyncState', 'least', bare));
    for (const field of ['resourceType', 'cloudflareId', 'accountId']) {
      const broken = custom('CloudflareSyncState', 'broken', { ...bare, [field]: undefined });
      await expect(world.apply(broken)).rejects.toThrow(`spec.${field}: Required value`);
    }
  });

  test('goes from nothing over an error, which it tells, to Synced', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.clock.advance(10_000);
    const fault = { kind: 'server-error', when: 'before' } as const;
    world.sim.faults.arm({ match: { write: true }, fault, count: 3 });
    await world.apply(dnsRecord('www', { content: '192.0.2.1' }));
    const state = (): SyncState | undefined => statesOf(world).find(({ spec }) => spec.resourceType === 'DNSRecord');
    await world.waitFor(() => state()?.status?.syncStatus === 'Error');
    expect(state()?.status?.lastError).toBe(state()?.status?.error);
    expect(state()?.status?.lastError).toBe('Internal server error (1000)');
    await world.waitFor(() => state()?.status?.syncStatus === 'Synced', 120_000);
    expect(state()?.status).not.toHaveProperty('lastError');
    expect(state()?.status?.cloudflareID).toBe(world.get(dnsRecordKind, www)?.status?.recordId);
  });
});

test('all controllers of the specification are there: those of resources, and those that sync', () => {
  expect(contributors.map(({ kind }) => kind.kind)).toEqual(expect.arrayContaining([...resourceControllers]));
  expect(targets.map(({ contract }) => contract.type)).toEqual(expect.arrayContaining([...syncControllers]));
});

const resourceControllers = [
  ...classes.map(([kind]) => kind),
  'Tunnel',
  'ClusterTunnel',
  'TunnelBinding',
  'Ingress',
  'Gateway',
  'CloudflareCredentials',
];

/** Rules of three kinds meet in one SyncState for each zone and phase, so those have one target together. */
const syncControllers = [
  ...classes.map(([kind]) => kind).filter((kind) => kind !== 'TransformRule' && kind !== 'RedirectRule'),
  'TunnelConfiguration',
  'TunnelLifecycle',
];
