import { defineKind, getCondition, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { dnsRecordKind } from '../../refs/dns-record-kind.ts';
import { custom } from '../../scenarios/testing/crash-objects.ts';
import { operatorNamespace } from '../../testing/replicas.ts';
import { createWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { cloudflareCredentialsKind } from './resource.ts';
import type { CloudflareCredentials } from './resource.ts';

const group = 'networking.cloudflare-operator.io';
const api = `${group}/v1alpha2`;
const domainKind = defineKind({
  group,
  version: 'v1alpha2',
  kind: 'CloudflareDomain',
  plural: 'cloudflaredomains',
  scope: 'Cluster',
});
const credentials = (name: string, spec: object) => ({
  apiVersion: api,
  kind: 'CloudflareCredentials',
  metadata: { name },
  spec: { secretRef: { name: 'main-token' }, ...spec },
});
const domain = {
  apiVersion: api,
  kind: 'CloudflareDomain',
  metadata: { name: 'site' },
  spec: { domain: 'example.com' },
};
const secret = (token: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'main-token', namespace: operatorNamespace },
  stringData: { CLOUDFLARE_API_TOKEN: token },
});

describeKind('credentials', {
  kind: cloudflareCredentialsKind,
  object: ({ sim }) => credentials('other', { accountId: sim.accountId }),
  change: ({ sim }) => ({ spec: { accountId: sim.accountId, accountName: 'ours', defaultDomain: 'example.com' } }),
  readOnly: true,
});

let world: World;
const get = (name: string): CloudflareCredentials | undefined => world.get(cloudflareCredentialsKind, { name });
const ready = (name: string) => getCondition(get(name)?.status?.conditions, 'Ready');
const isReady = (name: string) => (): boolean => ready(name)?.status === 'True';

describe('CloudflareCredentials', () => {
  afterEach(async () => world.stop());

  test('a missing Secret is told, and found when it comes', async () => {
    world = await createWorld();
    await world.apply(credentials('main', { accountId: world.sim.accountId }));
    await world.waitFor(() => get('main')?.status?.state === 'Error');
    expect(ready('main')).toMatchObject({
      status: 'False',
      reason: 'CredentialsMissing',
      message: 'Secret cloudflare-operator-system/main-token is not there',
    });
    expect(get('main')?.status?.validated).toBe(false);
    await world.apply(secret(world.sim.token));
    await world.waitFor(isReady('main'), 10_000);
    expect(get('main')?.status).toMatchObject({ state: 'Ready', validated: true });
  });

  test('a token that is not accepted is told, without showing it; a better one is taken up', async () => {
    world = await createWorld();
    await world.apply([secret('wrong-token-of-ours'), credentials('main', { accountId: world.sim.accountId })]);
    await world.waitFor(() => get('main')?.status?.state === 'Error');
    expect(ready('main')?.reason).toBe('AuthFailed');
    expect(JSON.stringify([world.list(syncStateKind), get('main')])).not.toContain('wrong-token-of-ours');
    await world.apply(secret(world.sim.token));
    await world.waitFor(isReady('main'), 10_000);
  });

  test('an account that they are not for is told', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(credentials('other', { accountId: 'f'.repeat(32) }));
    await world.waitFor(() => get('other')?.status?.state === 'Error');
    expect(ready('other')?.message).toContain(`not for account ${'f'.repeat(32)} but for ${world.sim.accountId}`);
  });

  test('of two defaults the younger one is told, and counts when the older one goes', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.clock.advance(5000);
    await world.apply(credentials('young', { accountId: world.sim.accountId, isDefault: true }));
    await world.waitFor(() => ready('young') !== undefined && isReady('main')());
    expect(ready('young')).toMatchObject({
      status: 'False',
      reason: 'DuplicateDefault',
      message: 'spec.isDefault: CloudflareCredentials main is the default already',
    });
    await world.delete(cloudflareCredentialsKind, { name: 'main' });
    await world.waitFor(() => isReady('young')() && get('main') === undefined);
    expect(get('young')?.status?.state).toBe('Ready');
  });

  test('stay as long as something at Cloudflare has to be undone with them', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(domain);
    await world.waitFor(() => world.get(domainKind, { name: 'site' })?.['status'] !== undefined);
    await world.delete(cloudflareCredentialsKind, { name: 'main' });
    await world.waitFor(() => ready('main')?.reason === 'Deleting', 120_000);
    expect(ready('main')?.message).toContain('still used by CloudflareSyncState cloudflare-domain-example-com-');
    await world.delete(domainKind, { name: 'site' });
    await world.waitFor(() => get('main') === undefined);
    expect(world.list(syncStateKind)).toEqual([]);
    expect(world.get(secretKind, { namespace: operatorNamespace, name: 'main-token' })).toBeDefined();
  });

  test('two of one account that meet at one zone do not take it from each other', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(credentials('other', { accountId: world.sim.accountId }));
    const record = (name: string, credentialsRef: string) => {
      const cloudflare = { domain: 'example.com', credentialsRef: { name: credentialsRef } };
      return custom('DNSRecord', name, { name, type: 'A', content: '192.0.2.1', cloudflare }, { namespace: 'default' });
    };
    const isActive = (name: string): boolean =>
      world.get(dnsRecordKind, { namespace: 'default', name })?.status?.state === 'Active';
    await world.apply([record('one', 'main'), record('two', 'other')]);
    await world.waitFor(() => isActive('one') && isActive('two'));
    await world.clock.advance(5000);
    world.clearCounts();
    await world.clock.advance(600_000);
    expect([world.writes(), world.sim.journal.calls()]).toEqual([[], []]);

    // What one of them has to undo needs its own, though the zone is looked up with the other's.
    await world.delete(dnsRecordKind, { namespace: 'default', name: 'one' });
    await world.delete(cloudflareCredentialsKind, { name: 'main' });
    await world.waitFor(() => get('main') === undefined);
    expect(isActive('two')).toBe(true);
    const inUse = world.list(syncStateKind).flatMap(({ spec }) => spec.credentialsRef.name);
    expect(new Set(inUse)).toEqual(new Set(['other']));
  });

  test('the finalizer of the earlier operator goes with ours', async () => {
    world = await createWorld();
    await world.apply(secret(world.sim.token));
    const object = credentials('main', { accountId: world.sim.accountId });
    const finalizers = ['cloudflare.com/credentials-finalizer'];
    await world.apply({ ...object, metadata: { ...object.metadata, finalizers } });
    await world.waitFor(isReady('main'));
    await world.delete(cloudflareCredentialsKind, { name: 'main' });
    await world.waitFor(() => get('main') === undefined);
    expect(world.list(syncStateKind)).toEqual([]);
  });
});
