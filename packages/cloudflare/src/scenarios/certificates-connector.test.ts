import { getCondition, secretKind } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { domainRegistrationKind } from '../kinds/domain-registration/resource.ts';
import { warpConnectorKind } from '../kinds/warp-connector/resource.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import type { Shown } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
beforeEach(async () => {
  world = await createWorld({ operator: { driftMs: 10 * 60_000 } });
  await world.applyCredentials();
});
afterEach(async () => world.stop());

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const gate = { namespace: 'default', name: 'gate' };

async function applyGate(spec: object): Promise<void> {
  await world.apply({
    apiVersion,
    kind: 'WARPConnector',
    metadata: gate,
    spec: { cloudflare: {}, ...spec },
  } as KubeObject);
}

async function applyRegistration(configuration: object | undefined, more: object = {}): Promise<void> {
  const spec = { domainName: 'example.com', ...(configuration && { configuration }), ...more };
  await world.apply({ apiVersion, kind: 'DomainRegistration', metadata: { name: 'example' }, spec } as KubeObject);
}

type Told = KubeObject & { readonly status?: { readonly conditions?: unknown } | undefined };

function readyOf(object: Told | undefined): Condition | undefined {
  const found = getCondition<Condition>(object?.status?.conditions as readonly Condition[] | undefined, 'Ready');
  return found?.observedGeneration === object?.metadata.generation ? found : undefined;
}

type Connector = NonNullable<(typeof warpConnectorKind)['objectType']>;
const connector = (): Connector | undefined => world.get(warpConnectorKind, gate);
const registration = (): Shown =>
  atDashboard(world.sim, 'GET', `/accounts/${world.sim.accountId}/registrar/registrations/example.com`);
const at = (path: string): string => `/accounts/${world.sim.accountId}/${path}`;
const connectors = (): readonly Shown[] => listAtDashboard(world.sim, at('warp_connector?is_deleted=false'));
const routes = (): readonly Shown[] => listAtDashboard(world.sim, at('teamnet/routes?is_deleted=false'));

test('a connector has its tunnel, its token in a Secret, its routes and the pods that run it', async () => {
  await applyGate({
    replicas: 2,
    routes: [{ network: '10.1.0.0/16', comment: 'services' }, { network: '10.2.3.4/16' }],
    resources: { requests: { cpu: '10m' } },
    nodeSelector: { zone: 'a' },
  });
  await world.waitFor(() => readyOf(connector())?.status === 'True');
  const [made] = connectors();
  expect(made?.name).toBe('gate');
  expect(routes().map(({ network, tunnel_id: tunnel, comment }) => [network, tunnel, comment])).toEqual([
    ['10.1.0.0/16', made?.id, expect.stringContaining('services') as unknown],
    ['10.2.0.0/16', made?.id, '[managed-by:WARPConnector/default/gate]'],
  ]);
  const { data = {} } = world.get(secretKind, { namespace: 'default', name: 'gate-token' }) ?? {};
  const token = Buffer.from(data['TUNNEL_TOKEN'] ?? '', 'base64').toString();
  expect(JSON.parse(Buffer.from(token, 'base64').toString())).toMatchObject({ t: made?.id });
  expect(world.get(deploymentKind, gate)).toMatchObject({
    metadata: { labels: { 'app.kubernetes.io/name': 'warp-connector', 'app.kubernetes.io/instance': 'gate' } },
    spec: {
      replicas: 2,
      template: {
        spec: {
          nodeSelector: { zone: 'a' },
          containers: [
            {
              image: 'cloudflare/cloudflared:latest',
              args: ['tunnel', '--no-autoupdate', 'run'],
              env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: 'gate-token', key: 'TUNNEL_TOKEN' } } }],
              resources: { requests: { cpu: '10m' } },
            },
          ],
        },
      },
    },
  });
  const replicas = { observedGeneration: 1, replicas: 2, readyReplicas: 2 };
  await world.user.client.patchStatus(deploymentKind, gate, { type: 'merge', body: { status: replicas } });
  await world.waitFor(() => connector()?.status?.readyReplicas === 2);
  expect(connector()?.status).toMatchObject({ connectorId: made?.id, routesConfigured: 2, state: 'Ready' });
});

test('its end waits for its pods and its routes, and then everything is gone', async () => {
  await applyGate({ routes: [{ network: '10.1.0.0/16' }] });
  await world.waitFor(() => readyOf(connector())?.status === 'True');
  const { data = {} } = world.get(secretKind, { namespace: 'default', name: 'gate-token' }) ?? {};
  world.sim.state.connect(Buffer.from(data['TUNNEL_TOKEN'] ?? '', 'base64').toString());
  const [made] = connectors();
  await world.delete(warpConnectorKind, gate);
  await world.clock.advance(20_000);
  expect(connectors()).toHaveLength(1);
  expect(world.get(deploymentKind, gate)).toBeUndefined();
  world.sim.state.disconnect(made?.id ?? '');
  await world.waitFor(() => connector() === undefined, 600_000);
  expect([connectors(), routes()]).toEqual([[], []]);
});

test('one that was there already is used, and stays', async () => {
  const { id } = atDashboard(world.sim, 'POST', at('warp_connector'), { name: 'gate' });
  await applyGate({});
  await world.waitFor(() => readyOf(connector())?.status === 'True');
  expect(connector()?.status?.connectorId).toBe(id);
  await world.delete(warpConnectorKind, gate);
  await world.waitFor(() => connector() === undefined);
  expect(connectors().map((one) => one.id)).toEqual([id]);
});

test('a registration is only looked at until it says what it wants, and never given up', async () => {
  await applyRegistration(undefined);
  const object = (): Told | undefined => world.get(domainRegistrationKind, { name: 'example' });
  await world.waitFor(() => readyOf(object())?.status === 'True');
  expect(world.sim.journal.count({ write: true })).toBe(0);
  expect(object()?.status).toMatchObject({
    state: 'Active',
    domainId: 'example.com',
    currentRegistrar: 'Cloudflare',
    autoRenew: true,
    privacy: true,
    locked: true,
    accountId: world.sim.accountId,
  });
  await applyRegistration({ autoRenew: false });
  await world.waitFor(() => registration()['auto_renew'] === false);
  atDashboard(world.sim, 'PATCH', at('registrar/registrations/example.com'), { auto_renew: true });
  await world.waitFor(() => registration()['auto_renew'] === false, 20 * 60_000);
  await world.delete(domainRegistrationKind, { name: 'example' });
  await world.waitFor(() => object() === undefined);
  expect(registration()).toMatchObject({ status: 'active', auto_renew: false });
});

test('what the API of Cloudflare cannot set is told by its field, and the rest is set', async () => {
  await applyRegistration({ autoRenew: false, locked: false, privacy: false, nameServers: ['ns.example.org'] });
  const object = (): Told | undefined => world.get(domainRegistrationKind, { name: 'example' });
  await world.waitFor(() => readyOf(object())?.status === 'False');
  expect(readyOf(object())).toMatchObject({ reason: 'NotSupported' });
  for (const field of ['locked', 'privacy', 'nameServers']) {
    expect(readyOf(object())?.message).toContain(`spec.configuration.${field}`);
  }
  expect(registration()['auto_renew']).toBe(false);
});

test('a domain of somebody else is told so', async () => {
  await applyRegistration({}, { domainName: 'example.org' });
  const object = (): Told | undefined => world.get(domainRegistrationKind, { name: 'example' });
  await world.waitFor(() => readyOf(object())?.status === 'False');
  expect(readyOf(object())).toMatchObject({ reason: 'PermissionDenied' });
});
