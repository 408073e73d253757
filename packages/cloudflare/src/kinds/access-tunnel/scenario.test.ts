import type { KubeObject } from '@tributary/runtime';
import { eventKind } from '@tributary/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { createWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { accessTunnelKind } from './resource.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => world.stop());

const db = { namespace: 'default', name: 'db' };

async function apply(fields: string): Promise<void> {
  const head = 'apiVersion: networking.cloudflare-operator.io/v1alpha1, kind: AccessTunnel, metadata: { name: db }';
  await world.apply(`{ ${head}, ${fields} }`);
}

async function applySecret(token: string, key = 'CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN'): Promise<void> {
  const stringData = { CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID: 'client-id', [key]: token };
  await world.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' }, stringData } as KubeObject);
}

type Container = { readonly args: readonly string[]; readonly env?: readonly object[]; readonly image: string };
type Template = {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[] };
};

function template(): Template | undefined {
  const { spec } = (world.get(deploymentKind, db) ?? {}) as { readonly spec?: { readonly template?: Template } };
  return spec?.template;
}

const checksum = (): string | undefined => template()?.metadata.annotations?.['cloudflare-operator.io/token-checksum'];
const containerOf = (): Container | undefined => template()?.spec.containers[0];

test('is a cloudflared and a Service before it, which go with it, and nothing is asked of Cloudflare', async () => {
  await apply('target: { fqdn: db.example.com, protocol: ssh, svc: { name: database, port: 22 } }');
  await world.waitFor(() => template() !== undefined);
  expect(containerOf()).toMatchObject({
    image: 'cloudflare/cloudflared:2025.4.0',
    args: ['access', 'ssh', '--listener', '0.0.0.0:8000', '--hostname', 'db.example.com'],
  });
  expect(containerOf()?.env).toBeUndefined();
  expect(world.get(serviceKind, { namespace: 'default', name: 'database' })).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'AccessTunnel', name: 'db', controller: true }] },
    spec: { selector: { app: 'cloudflared', name: 'db' }, ports: [{ name: 'ssh', port: 22, targetPort: 8000 }] },
  });
  await world.clock.advance(60_000);
  expect(world.sim.journal.count()).toBe(0);
  world.clearCounts();
  await world.clock.advance(600_000);
  expect(world.writes()).toEqual([]);
});

test('has the service token from its Secret, and new pods when that changes', async () => {
  await applySecret('s3cret-1');
  await apply('target: { fqdn: db.example.com }, serviceToken: { secretRef: token }');
  await world.waitFor(() => template() !== undefined);
  expect(containerOf()?.env).toEqual([
    {
      name: 'TUNNEL_SERVICE_TOKEN_ID',
      valueFrom: { secretKeyRef: { name: 'token', key: 'CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID' } },
    },
    {
      name: 'TUNNEL_SERVICE_TOKEN_SECRET',
      valueFrom: { secretKeyRef: { name: 'token', key: 'CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN' } },
    },
  ]);
  const before = checksum();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  await applySecret('s3cret-2');
  await world.waitFor(() => checksum() !== before);
  expect(JSON.stringify(world.list(deploymentKind))).not.toContain('s3cret');
  await apply('target: { fqdn: db.example.com }, serviceToken: null');
  await world.waitFor(() => checksum() === undefined);
  expect(containerOf()?.env).toBeUndefined();
});

test('says what its Secret lacks, and starts when it is there', async () => {
  await applySecret('s3cret', 'other');
  await apply('target: { fqdn: db.example.com }, serviceToken: { secretRef: token }');
  await world.waitFor(() => world.list(eventKind).some(({ reason }) => reason === 'InvalidSecret'));
  const told = world.list(eventKind).find(({ reason }) => reason === 'InvalidSecret');
  expect(told).toMatchObject({
    type: 'Warning',
    message: 'serviceToken.secretRef: Secret token lacks CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN',
  });
  expect(template()).toBeUndefined();
  await applySecret('s3cret');
  await world.waitFor(() => template() !== undefined);
});

test('a Secret that is named and not there is waited for', async () => {
  await apply('target: { fqdn: db.example.com }, serviceToken: { secretRef: token }');
  await world.clock.advance(10_000);
  expect(template()).toBeUndefined();
  await applySecret('s3cret');
  await world.waitFor(() => template() !== undefined);
});

test.each([
  ['target', '{}'],
  ['target.fqdn', '{ target: {} }'],
  ['target.protocol', '{ target: { fqdn: x, protocol: http } }'],
  ['target.svc.port', '{ target: { fqdn: x, svc: { port: 0 } } }'],
  ['serviceToken.secretRef', '{ target: { fqdn: x }, serviceToken: {} }'],
])('%s that is wrong is refused by name', async (field, fields) => {
  await expect(apply(fields.slice(1, -1).trim() || 'other: x')).rejects.toThrow(field);
  expect(accessTunnelKind.plural).toBe('accesstunnels');
});
