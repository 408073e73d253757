import { getCondition } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { createWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { cloudflareDomainKind } from './resource.ts';
import type { CloudflareDomain } from './resource.ts';

const domain = (name: string, spec: object) => ({
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'CloudflareDomain',
  metadata: { name },
  spec,
});

describeKind('a domain', {
  kind: cloudflareDomainKind,
  object: () => domain('site', { domain: 'example.com', ssl: { mode: 'full_strict' } }),
  change: () => ({ spec: { ssl: { mode: 'flexible' } } }),
});

let world: World;

const get = (name: string): CloudflareDomain | undefined => world.get(cloudflareDomainKind, { name });
const ready = (name: string) => getCondition(get(name)?.status?.conditions, 'Ready');
const setting = (zone: string, id: string): unknown => {
  const zoneId = world.sim.zones.find((each) => each.name === zone)?.id ?? '';
  const { result } = world.sim.dashboard('GET', `/zones/${zoneId}/settings/${id}`).body as {
    result: { value: unknown };
  };
  return result.value;
};

describe('a CloudflareDomain', () => {
  afterEach(async () => world.stop());

  test('finds its zone by its name and says what it has found', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(domain('site', { domain: 'Example.COM' }));
    await world.waitFor(() => ready('site')?.status === 'True');
    const zone = world.sim.zones.find((each) => each.name === 'example.com');
    expect(get('site')?.status).toMatchObject({
      state: 'Ready',
      zoneId: zone?.id,
      zoneName: 'example.com',
      accountId: world.sim.accountId,
      zoneStatus: 'active',
    });
    expect(world.sim.journal.calls({ write: true })).toEqual([]);
  });

  test('a zone that is not there is told', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(domain('site', { domain: 'nowhere.org' }));
    await world.waitFor(() => get('site')?.status?.state === 'Error');
    expect(ready('site')).toMatchObject({ status: 'False', reason: 'NotFound' });
    expect(ready('site')?.message).toContain('nowhere.org');
  });

  test('writes the settings of its sections by the names of the API in one call, and no others', async () => {
    world = await createWorld();
    await world.applyCredentials();
    const spec = {
      domain: 'example.net',
      ssl: { mode: 'full_strict', authenticatedOriginPull: { enabled: true } },
      cache: { browserTTL: 0 },
      security: { challengePassage: 3600 },
    };
    await world.apply(domain('site', spec));
    await world.waitFor(() => ready('site')?.status === 'True');
    expect(world.sim.journal.calls({ write: true }).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PATCH /zones/${get('site')?.status?.zoneId ?? ''}/settings`,
    ]);
    expect(setting('example.net', 'ssl')).toBe('strict');
    expect(setting('example.net', 'tls_client_auth')).toBe('on');
    expect(setting('example.net', 'browser_cache_ttl')).toBe(0);
    expect(setting('example.net', 'challenge_ttl')).toBe(3600);
    expect(setting('example.net', 'origin_error_page_pass_thru')).toBe('off');
  });

  test('a setting that the plan does not allow is told and not tried again and again', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(
      domain('site', { domain: 'example.com', performance: { polish: 'lossy', prefetchPreload: false } }),
    );
    await world.waitFor(() => ready('site')?.status === 'True');
    expect(ready('site')?.message).toContain('the plan of the zone does not allow to set polish');
    expect(get('site')?.status?.configSyncStatus).toMatchObject({ performance: 'Error' });
    world.clearCounts();
    await world.clock.advance(65 * 60_000);
    expect(world.sim.journal.calls({ write: true })).toEqual([]);
    expect(world.writes()).toEqual([]);
  }, 60_000);

  test('a field that no zone setting answers is told', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(domain('site', { domain: 'example.com', cache: { cacheLevel: 'bypass', tieredCache: {} } }));
    await world.waitFor(() => ready('site')?.status === 'True');
    expect(ready('site')?.message).toBe('no zone setting does spec.cache.cacheLevel: bypass, spec.cache.tieredCache');
  });
});

describe('several CloudflareDomains of one zone', () => {
  afterEach(async () => world.stop());

  test('each setting goes to the one with the lower priority number, and the other hears who won', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply([
      domain('first', { domain: 'example.com', ssl: { mode: 'flexible' } }),
      domain('second', { domain: 'example.com', priority: 10, ssl: { mode: 'strict' }, security: { level: 'high' } }),
    ]);
    await world.waitFor(() => ready('first') !== undefined && ready('second')?.status === 'True');
    expect(setting('example.com', 'ssl')).toBe('strict');
    expect(setting('example.com', 'security_level')).toBe('high');
    expect(ready('first')).toMatchObject({
      status: 'False',
      reason: 'Conflict',
      message: 'ssl: CloudflareDomain/second sets it to strict and has the lower priority number',
    });
  });

  test('when the winner goes the other one has its way; when both are gone the settings stay', async () => {
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(domain('first', { domain: 'example.com', ssl: { mode: 'flexible' } }));
    await world.apply(domain('second', { domain: 'example.com', priority: 10, ssl: { mode: 'strict' } }));
    await world.waitFor(() => ready('first')?.reason === 'Conflict');
    await world.delete(cloudflareDomainKind, { name: 'second' });
    await world.waitFor(() => ready('first')?.status === 'True' && get('second') === undefined);
    expect(setting('example.com', 'ssl')).toBe('flexible');
    world.clearCounts();
    await world.delete(cloudflareDomainKind, { name: 'first' });
    await world.waitFor(() => get('first') === undefined);
    expect(world.sim.journal.calls()).toEqual([]);
    expect(world.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'CloudflareDomain')).toEqual([]);
  });
});
