import { getCondition, secretKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { createWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { tunnelKind } from './resource.ts';

let world: World | undefined;
afterEach(async () => world?.stop());

async function start(): Promise<World> {
  world = await createWorld();
  await world.applyCredentials();
  return world;
}

function tunnel(name: string, spec: object): KubeObject {
  return {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'Tunnel',
    metadata: { name, namespace: 'default' },
    spec: { cloudflare: {}, ...spec },
  } as KubeObject;
}

type Remote = { readonly id: string; readonly name: string; readonly deleted_at?: string | null };

function remoteTunnels({ sim }: World): readonly Remote[] {
  const { body } = sim.dashboard('GET', `/accounts/${sim.accountId}/cfd_tunnel?is_deleted=false`);
  return (body as { readonly result: readonly Remote[] }).result;
}

function make({ sim }: World, name: string): string {
  const { body } = sim.dashboard('POST', `/accounts/${sim.accountId}/cfd_tunnel`, { name, config_src: 'cloudflare' });
  return (body as { readonly result: Remote }).result.id;
}

function statusOf(made: World, name: string): NonNullable<NonNullable<(typeof tunnelKind)['objectType']>['status']> {
  const { status } = made.get(tunnelKind, { namespace: 'default', name }) ?? {};
  return status ?? { tunnelId: '', tunnelName: '', accountId: '', zoneId: '' };
}

function secret(made: World, name: string): Readonly<Record<string, string>> {
  const { data = {} } = made.get(secretKind, { namespace: 'default', name }) ?? {};
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}

type Deployed = { readonly spec: { readonly template: { readonly metadata: { readonly annotations: object } } } };

describe('an existing tunnel', () => {
  for (const by of ['id', 'name'] as const) {
    test(`by ${by} is used, gets its token Secret and Deployment, and stays when the object goes`, async () => {
      const made = await start();
      const id = make(made, 'ours');
      await made.apply(tunnel('office', { existingTunnel: by === 'id' ? { id } : { name: 'ours' } }));
      await made.waitFor(() => statusOf(made, 'office').state === 'active');
      expect(statusOf(made, 'office')).toMatchObject({ tunnelId: id, tunnelName: 'ours' });
      expect(Object.keys(secret(made, 'office-token'))).toEqual(['token']);
      expect(JSON.parse(secret(made, 'office')['credentials.json'] ?? '')).toMatchObject({ TunnelID: id });
      expect(made.get(deploymentKind, { namespace: 'default', name: 'office' })).toBeDefined();
      await made.delete(tunnelKind, { namespace: 'default', name: 'office' });
      await made.waitFor(() => !made.get(tunnelKind, { namespace: 'default', name: 'office' }));
      expect(remoteTunnels(made).map((remote) => remote.id)).toEqual([id]);
    });
  }

  test('that is not there is missed by name', async () => {
    const made = await start();
    await made.apply(tunnel('office', { existingTunnel: { name: 'nowhere' } }));
    await made.waitFor(() => statusOf(made, 'office').state === 'error');
    const ready = getCondition(statusOf(made, 'office').conditions, 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'NotFound', message: expect.stringContaining('nowhere') });
  });
});

describe('a tunnel of our own', () => {
  test('is deleted with its object, though connectors hold it', async () => {
    const made = await start();
    await made.apply(tunnel('office', { newTunnel: { name: 'office' } }));
    await made.waitFor(() => statusOf(made, 'office').state === 'active');
    made.sim.state.connect(secret(made, 'office-token')['token'] ?? '');
    await made.delete(tunnelKind, { namespace: 'default', name: 'office' });
    await made.waitFor(() => !made.get(tunnelKind, { namespace: 'default', name: 'office' }));
    expect(remoteTunnels(made)).toEqual([]);
  });

  test('that two objects would create belongs to the older; the younger is told and gets no token', async () => {
    const made = await start();
    await made.apply(tunnel('older', { newTunnel: { name: 'shared' } }));
    await made.waitFor(() => statusOf(made, 'older').state === 'active');
    await made.clock.advance(2000);
    await made.apply(tunnel('younger', { newTunnel: { name: 'shared' } }));
    await made.waitFor(() => statusOf(made, 'younger').state === 'error');
    expect(getCondition(statusOf(made, 'younger').conditions, 'Ready')).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('Tunnel/default/older creates it'),
    });
    expect(statusOf(made, 'younger').tunnelId).toBe('');
    expect(secret(made, 'younger-token')).toEqual({});
    expect(remoteTunnels(made)).toHaveLength(1);
    await made.delete(tunnelKind, { namespace: 'default', name: 'younger' });
    await made.waitFor(() => !made.get(tunnelKind, { namespace: 'default', name: 'younger' }));
    expect(remoteTunnels(made)).toHaveLength(1);
  });

  test('whose token changes gives the new one to its pods by a rollout', async () => {
    const made = await start();
    await made.apply(tunnel('office', { newTunnel: { name: 'office' } }));
    await made.waitFor(() => statusOf(made, 'office').state === 'active');
    const sum = (): unknown =>
      (made.get(deploymentKind, { namespace: 'default', name: 'office' }) as unknown as Deployed).spec.template.metadata
        .annotations;
    const [before, token] = [sum(), secret(made, 'office-token')['token']];
    const path = `/accounts/${made.sim.accountId}/cfd_tunnel/${statusOf(made, 'office').tunnelId}`;
    made.sim.dashboard('PATCH', path, { tunnel_secret: Buffer.alloc(32, 7).toString('base64') });
    await made.clock.advance(2 * 3_600_000);
    expect(secret(made, 'office-token')['token']).not.toBe(token);
    expect(sum()).not.toEqual(before);
  });

  test('does not touch a Secret of somebody else that has the name of its credentials file, and works without', async () => {
    const made = await start();
    const theirs = { CLOUDFLARE_API_TOKEN: 'theirs' };
    const metadata = { name: 'office', namespace: 'default' };
    await made.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: theirs } as KubeObject);
    await made.apply(tunnel('office', { newTunnel: { name: 'office' } }));
    await made.waitFor(() => statusOf(made, 'office').state === 'active');
    expect(secret(made, 'office')).toEqual(theirs);
    expect(Object.keys(secret(made, 'office-token'))).toEqual(['token']);
  });

  test('takes an empty text for one that is left out, as a template writes it', async () => {
    const made = await start();
    const empty = { fallbackTarget: '', originCaPool: '', deployPatch: '' };
    const cloudflare = { credentialsRef: { name: '' }, domain: '', zoneId: '', secret: '', accountId: '', email: '' };
    await made.apply(tunnel('office', { newTunnel: { name: 'office' }, cloudflare, ...empty }));
    await made.waitFor(() => statusOf(made, 'office').state === 'active');
    const { tunnelId } = statusOf(made, 'office');
    const path = `/accounts/${made.sim.accountId}/cfd_tunnel/${tunnelId ?? ''}/configurations`;
    expect(made.sim.dashboard('GET', path).body).toMatchObject({
      result: { config: { ingress: [{ service: 'http_status:404' }] } },
    });
    expect(made.get(deploymentKind, { namespace: 'default', name: 'office' })).toBeDefined();
  });

  test('with a bad patch says which field is wrong', async () => {
    const made = await start();
    await made.apply(tunnel('office', { newTunnel: { name: 'office' }, deployPatch: 'template: {}' }));
    await made.waitFor(() => statusOf(made, 'office').state === 'error');
    expect(getCondition(statusOf(made, 'office').conditions, 'Ready')?.message).toContain('spec.deployPatch: template');
  });

  test('written as v1alpha1 works, and reads back as it was written', async () => {
    const made = await start();
    const object = tunnel('office', {});
    const cloudflare = { domain: 'example.com', secret: '' };
    const former = {
      ...object,
      apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
      spec: { newTunnel: { name: 'office' }, size: 2, cloudflare },
    };
    await made.apply(former);
    await made.waitFor(() => statusOf(made, 'office').state === 'active');
    const deployed = made.get(deploymentKind, { namespace: 'default', name: 'office' });
    expect(deployed).toMatchObject({ spec: { replicas: 2 } });
    const shown = await made.user.client.get(tunnelKind.at('v1alpha1'), { namespace: 'default', name: 'office' });
    expect(shown).toMatchObject({ spec: { size: 2, newTunnel: { name: 'office' }, cloudflare } });
  });
});

test('a Deployment that the original left, with a selector of its own, is taken over as it is and kept in step', async () => {
  const made = (world = await createWorld({ replicas: 0 }));
  await made.applyCredentials();
  await made.apply(tunnel('office', { newTunnel: { name: 'office' } }));
  const { uid = '' } = made.get(tunnelKind, { namespace: 'default', name: 'office' })?.metadata ?? {};
  const labels = {
    'cloudflare-operator.io/tunnel': 'office',
    'cloudflare-operator.io/app': 'cloudflared',
    'cloudflare-operator.io/id': 'old-id',
    'cloudflare-operator.io/domain': 'example.com',
  };
  const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
  const ownerReferences = [{ apiVersion, kind: 'Tunnel', name: 'office', uid, controller: true }];
  const containers = [{ name: 'cloudflared', image: 'cloudflare/cloudflared:latest', args: ['tunnel'] }];
  await made.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'office', namespace: 'default', labels, ownerReferences },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  } as KubeObject);
  made.start('replica-1');
  await made.waitFor(() => statusOf(made, 'office').state === 'active');
  await made.clock.advance(10_000);
  const taken = made.get(deploymentKind, { namespace: 'default', name: 'office' });
  expect(taken).toMatchObject({
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ env: [{ name: 'TUNNEL_TOKEN' }] }] } },
    },
  });
  made.clearCounts();
  await made.clock.advance(60_000);
  expect(made.writes()).toEqual([]);
});
