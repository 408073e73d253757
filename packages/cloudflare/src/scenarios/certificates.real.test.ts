import { X509Certificate } from 'node:crypto';
import { secretKind } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainRegistrationKind } from '../kinds/domain-registration/resource.ts';
import { originCaCertificateKind } from '../kinds/origin-ca-certificate/resource.ts';
import { warpConnectorKind } from '../kinds/warp-connector/resource.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
}, 120_000);
afterAll(async () => world.stop());

test('a certificate has a Secret that a real API server takes for TLS, and is issued anew when that is lost', async () => {
  const ref = { namespace: 'default', name: 'www' };
  const spec = { hostnames: ['www.example.com'], privateKey: { algorithm: 'ECDSA' }, requestType: 'origin-ecc' };
  await world.client.create(originCaCertificateKind, { metadata: ref, spec } as never);
  await world.untilReady(originCaCertificateKind, ref.name);
  const secret = await world.client.get(secretKind, ref);
  expect(secret.type).toBe('kubernetes.io/tls');
  const serialOf = (data: Readonly<Record<string, string>> = {}): string =>
    new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64')).serialNumber;
  await world.client.delete(secretKind, ref);
  await world.until('there is another pair', async () => {
    const found = await world.get(secretKind, ref);
    return Boolean(found?.data?.['tls.crt']) && serialOf(found?.data) !== serialOf(secret.data);
  });
  await world.untilReady(originCaCertificateKind, ref.name);
  await world.untilGone(originCaCertificateKind, ref.name);
  const zone = world.sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
  expect(listAtDashboard(world.sim, `/certificates?zone_id=${zone}`)).toEqual([]);
}, 60_000);

test('a registration is set, and kept when its object goes', async () => {
  const ref = { name: 'example' };
  const spec = { domainName: 'example.com', configuration: { autoRenew: false } };
  await world.client.create(domainRegistrationKind, { metadata: ref, spec } as never);
  await world.untilReady(domainRegistrationKind, ref.name);
  await world.untilGone(domainRegistrationKind, ref.name);
  const path = `/accounts/${world.sim.accountId}/registrar/registrations/example.com`;
  expect(atDashboard(world.sim, 'GET', path)).toMatchObject({ auto_renew: false, status: 'active' });
}, 60_000);

test('a connector has a Deployment that a real API server takes, and all goes with it', async () => {
  const ref = { namespace: 'default', name: 'gate' };
  const tolerations = [{ key: 'edge', operator: 'Exists', effect: 'NoSchedule' }];
  const resources = { limits: { memory: '64Mi' } };
  const spec = { cloudflare: {}, routes: [{ network: '10.1.0.0/16' }], tolerations, resources };
  await world.client.create(warpConnectorKind, { metadata: ref, spec } as never);
  await world.untilReady(warpConnectorKind, ref.name);
  expect(await world.get(deploymentKind, ref)).toMatchObject({
    spec: { replicas: 1, template: { spec: { tolerations, containers: [{ resources }] } } },
  });
  await world.untilGone(warpConnectorKind, ref.name);
  const at = `/accounts/${world.sim.accountId}`;
  expect(listAtDashboard(world.sim, `${at}/warp_connector?is_deleted=false`)).toEqual([]);
  expect(listAtDashboard(world.sim, `${at}/teamnet/routes?is_deleted=false`)).toEqual([]);
}, 60_000);
