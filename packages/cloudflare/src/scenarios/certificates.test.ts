import { createPrivateKey, X509Certificate } from 'node:crypto';
import { getCondition, secretKind } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { originCaCertificateKind } from '../kinds/origin-ca-certificate/resource.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
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

const www = { namespace: 'default', name: 'www' };
const ecc = { hostnames: ['www.example.com'], requestType: 'origin-ecc', privateKey: { algorithm: 'ECDSA' } };

async function apply(spec: object): Promise<void> {
  const head = { apiVersion: 'networking.cloudflare-operator.io/v1alpha2', kind: 'OriginCACertificate' };
  await world.apply({ ...head, metadata: www, spec } as KubeObject);
}

function ready(): Condition | undefined {
  const { status, metadata } = world.get(originCaCertificateKind, www) ?? {};
  const found = getCondition<Condition>(status?.conditions, 'Ready');
  return found?.observedGeneration === metadata?.generation ? found : undefined;
}

const untilReady = async (): Promise<void> => world.waitFor(() => ready()?.status === 'True');

function entries(name = 'www'): Readonly<Record<string, string>> {
  const { data = {} } = world.get(secretKind, { namespace: 'default', name }) ?? {};
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}

/** Those in force. */
function certificates(): readonly string[] {
  const [zone] = listAtDashboard(world.sim, '/zones?name=example.com');
  return listAtDashboard(world.sim, `/certificates?zone_id=${zone?.id ?? ''}`).map(({ id }) => id);
}

/** What is asked of Cloudflare about certificates, without who asks and with what. */
function calls(): readonly string[] {
  const { journal } = world.sim;
  return journal.calls({ write: true }).map(({ method, path }) => `${method} ${path.split('/').slice(0, 2).join('/')}`);
}

function expectPair(name = 'www'): void {
  const { 'tls.crt': certificate = '', 'tls.key': key = '' } = entries(name);
  const read = new X509Certificate(certificate);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(BigInt(`0x${read.serialNumber}`).toString()).toBe(certificates()[0]);
}

test('key and certificate are in a Secret for servers, and the key is nowhere else', async () => {
  await apply({ hostnames: ['www.example.com', '*.example.com'], validity: 90 });
  await untilReady();
  const secret = world.get(secretKind, www);
  expect(secret).toMatchObject({
    type: 'kubernetes.io/tls',
    metadata: {
      labels: {
        'app.kubernetes.io/managed-by': 'cloudflare-operator',
        'cloudflare-operator.io/origin-ca-certificate': 'www',
      },
      ownerReferences: [{ kind: 'OriginCACertificate', name: 'www' }],
    },
  });
  expect(Object.keys(secret?.data ?? {})).toEqual(['tls.crt', 'tls.key']);
  expectPair();
  expect(createPrivateKey(entries()['tls.key'] ?? '').asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(world.get(originCaCertificateKind, www)?.status).toMatchObject({
    state: 'Ready',
    certificateId: certificates()[0],
    certificate: entries()['tls.crt'],
    secretName: 'www',
    secretNamespace: 'default',
  });
  const elsewhere = JSON.stringify([world.list(syncStateKind), world.list(originCaCertificateKind)]);
  expect(elsewhere).not.toContain('PRIVATE KEY');
  expect(JSON.stringify(world.sim.journal.calls())).not.toContain('PRIVATE KEY');
});

test('before it ends there is a new one, and only then is the old one revoked', async () => {
  await apply({ ...ecc, validity: 7 });
  await untilReady();
  const [first] = certificates();
  const key = entries()['tls.key'];
  await world.stopReplica('replica-1');
  await world.clock.advance(5 * 24 * 3_600_000);
  world.clearCounts();
  world.start('replica-1');
  await world.waitFor(() => calls().includes('DELETE /certificates'));
  await untilReady();
  expect(calls()).toEqual(['POST /certificates', 'DELETE /certificates']);
  expect(certificates()).toHaveLength(1);
  expect(certificates()).not.toContain(first);
  expect(entries()['tls.key']).not.toBe(key);
  await world.waitFor(() => world.get(originCaCertificateKind, www)?.status?.certificateId === certificates()[0]);
  expectPair();
});

test.each([
  ['is deleted', async () => world.delete(secretKind, www)],
  [
    'gets another key',
    async () => {
      const data = { 'tls.key': Buffer.from('mine').toString('base64') };
      await world.user.client.patch(secretKind, www, { type: 'merge', body: { data } });
      await world.clock.advance(700_000);
    },
  ],
  [
    'has a certificate that was revoked',
    async () => {
      atDashboard(world.sim, 'DELETE', `/certificates/${certificates()[0] ?? ''}`);
      await world.clock.advance(700_000);
    },
  ],
])('a Secret that %s is filled with a new pair', async (_name, spoil) => {
  await apply(ecc);
  await untilReady();
  const before = entries()['tls.crt'];
  await spoil();
  await world.waitFor(() => !['', undefined, before].includes(entries()['tls.crt']));
  await world.clock.advance(5000);
  expect(certificates()).toHaveLength(1);
  expectPair();
});

test('the certificate is revoked with its object, and the Secret goes too', async () => {
  await apply(ecc);
  await untilReady();
  await world.delete(originCaCertificateKind, www);
  await world.waitFor(() => world.get(originCaCertificateKind, www) === undefined);
  expect(certificates()).toEqual([]);
  await world.waitFor(() => world.get(secretKind, www) === undefined);
});

test('under another name there is a new pair, and the Secret with the old one goes', async () => {
  await apply(ecc);
  await untilReady();
  await apply({ ...ecc, secretSync: { secretName: 'mine' } });
  await world.waitFor(() => world.get(secretKind, www) === undefined);
  await untilReady();
  expect(certificates()).toHaveLength(1);
  expectPair('mine');
});

test('the other layout has the root of Cloudflare with it, and a layout cannot be changed under a name', async () => {
  await apply({ ...ecc, secretSync: { secretName: 'mine', certManagerCompatible: false, includeCA: true } });
  await untilReady();
  expect(Object.keys(entries('mine')).toSorted()).toEqual(['ca-certificate', 'certificate', 'private-key']);
  expect(new X509Certificate(entries('mine')['ca-certificate'] ?? '').subject).toContain('Origin SSL ECC');
  await apply({ ...ecc, secretSync: { secretName: 'mine', certManagerCompatible: true } });
  await world.waitFor(() => ready()?.status === 'False');
  expect(ready()?.message).toContain('the Secret default/mine is of type Opaque and not kubernetes.io/tls');
});

test('a key of one’s own is used, and another one makes another certificate', async () => {
  const { makeKey } = await import('../targets/origin-ca-certificate/key-pair.ts');
  const putKey = async (): Promise<string> => {
    const key = makeKey({ algorithm: 'ECDSA', size: 256 });
    await world.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'own' },
      stringData: { 'private-key': key },
    } as KubeObject);
    return key;
  };
  await apply({ ...ecc, privateKey: { secretRef: { name: 'own' } } });
  await world.waitFor(() => ready()?.reason === 'InvalidSecret');
  const first = await putKey();
  await untilReady();
  expect(entries()['tls.key']).toBe(first);
  expectPair();
  const second = await putKey();
  await world.waitFor(() => entries()['tls.key'] === second);
  await world.clock.advance(5000);
  expect(certificates()).toHaveLength(1);
  expectPair();
});

test.each([
  [{ ...ecc, secretSync: { enabled: false } }, 'spec.secretSync.enabled'],
  [{ ...ecc, csr: 'x' }, 'spec.csr'],
  [{ ...ecc, privateKey: { size: 1024 } }, 'spec.privateKey.size'],
  [
    { ...ecc, privateKey: { secretRef: { name: 'x', namespace: 'kube-system' } } },
    'spec.privateKey.secretRef.namespace',
  ],
])('what cannot be is told by its field: %j', async (spec, field) => {
  await apply(spec);
  await world.waitFor(() => ready() !== undefined);
  expect(ready()).toMatchObject({ status: 'False', reason: 'InvalidSpec' });
  expect(ready()?.message).toContain(field);
  expect(world.sim.journal.count({ write: true })).toBe(0);
});
