import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { connect, crdKind, namespaceKind, secretKind, silentLog } from '@tributary/runtime';
import type { Connection, Secret } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { isDue, keepCertificates } from './certificate-store.ts';
import { issueCertificates } from './certificates.ts';
import { createConversionWebhook } from './conversion-webhook.ts';
import { formerVersion, storedVersion } from './convert-tunnel.ts';
import { tunnelConverters } from './tunnel-converters.ts';

const namespace = 'cloudflare-operator-system';
const host = `cloudflare-operator-webhook-service.${namespace}.svc`;

let cluster: Cluster;
let connection: Connection;
beforeEach(async () => {
  cluster = await startCluster({ listen: false, converters: tunnelConverters });
  connection = connect({ transport: cluster.transport() });
  await connection.client.create(namespaceKind, { metadata: { name: namespace } });
  for (const kind of [tunnelKind, clusterTunnelKind]) await connection.client.create(crdKind, { ...kind.toCrd() });
});
afterEach(async () => cluster.stop());

/** As the API server would: by the name of the Service, trusting nothing but the bundle of the CRD. */
async function post(port: number, ca: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST', ca, servername: host, agent: false };
    const asked = request(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}

type ClientConfig = { readonly caBundle: string; readonly service: { readonly namespace: string } };

async function clientConfig(name: string): Promise<ClientConfig> {
  const crd = (await connection.client.get(crdKind, { name })) as unknown as {
    readonly spec: { readonly conversion: { readonly webhook: { readonly clientConfig: ClientConfig } } };
  };
  return crd.spec.conversion.webhook.clientConfig;
}

async function caBundle(name: string): Promise<string> {
  return Buffer.from((await clientConfig(name)).caBundle, 'base64').toString();
}

/** Until it serves; the returned function ends it. */
async function serve(where: string): Promise<{ readonly port: number; readonly end: () => Promise<void> }> {
  const listening = Promise.withResolvers<number>();
  const { client, clock } = connection;
  const deps = { client, clock, log: silentLog, onListening: listening.resolve };
  const ended = new AbortController();
  const running = createConversionWebhook({ namespace: where, port: 0 }, deps).run(ended.signal);
  const end = async (): Promise<void> => {
    ended.abort();
    await running;
  };
  return { port: await listening.promise, end };
}

describe('the conversion webhook', () => {
  test('serves the API server over TLS, with a certificate that the CRDs are told to trust', async () => {
    const { port, end } = await serve(namespace);
    const ca = await caBundle('tunnels.networking.cloudflare-operator.io');
    expect(await caBundle('clustertunnels.networking.cloudflare-operator.io')).toBe(ca);
    const spec = { size: 2, cloudflare: { domain: 'example.com', secret: 's' }, newTunnel: { name: 'a' } };
    const objects = [{ apiVersion: formerVersion, kind: 'Tunnel', metadata: { name: 'a' }, spec }];
    const review = { request: { uid: 'u', desiredAPIVersion: storedVersion, objects } };
    expect(await post(port, ca, '/convert?timeout=30s', review)).toMatchObject({
      status: 200,
      body: {
        response: { uid: 'u', result: { status: 'Success' }, convertedObjects: [{ apiVersion: storedVersion }] },
      },
    });
    expect((await post(port, ca, '/other', review)).status).toBe(404);
    await end();
  });

  test('in another namespace leads the API server there, also after somebody applied the CRDs as they are written', async () => {
    const [name, home] = ['tunnels.networking.cloudflare-operator.io', 'elsewhere'];
    await connection.client.create(namespaceKind, { metadata: { name: home } });
    await (await serve(home)).end();
    const { caBundle: trusted } = await clientConfig(name);
    const service = { namespace, name: 'cloudflare-operator-webhook-service', path: '/convert' };
    const body = { spec: { conversion: { webhook: { clientConfig: { service } } } } };
    await connection.client.patch(crdKind, { name }, { type: 'merge', body });
    await (await serve(home)).end();
    expect(await clientConfig(name)).toMatchObject({ caBundle: trusted, service: { namespace: home } });
  });
});

describe('the certificates', () => {
  const options = { namespace, name: 'cert', hosts: [host] };
  const dayMs = 86_400_000;
  const at = (now: number) => ({ client: connection.client, clock: { now: () => now } });

  test('are made once for all replicas, also when several begin at once', async () => {
    const now = Date.now();
    const made = await Promise.all([1, 2, 3].map(async () => keepCertificates(options, at(now))));
    expect(new Set(made.map(({ cert }) => cert)).size).toBe(1);
    const stored: Secret = await connection.client.get(secretKind, { namespace, name: 'cert' });
    expect(Object.keys(stored.data ?? {})).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  });

  test('are made anew at two thirds of their life, and the former authority stays trusted for a while', async () => {
    const now = Date.now();
    const first = await keepCertificates(options, at(now));
    expect((await keepCertificates(options, at(now + 50 * dayMs))).cert).toBe(first.cert);
    const second = await keepCertificates(options, at(now + 70 * dayMs));
    expect(second.cert).not.toBe(first.cert);
    expect(second.ca).toContain(first.ca.trim());
    const third = await keepCertificates(options, at(now + 140 * dayMs));
    expect(third.ca).not.toContain(first.ca.trim());
  });

  test('name the Service and are signed by their authority', async () => {
    const { ca, cert } = await issueCertificates({ hosts: [host], now: Date.now(), validDays: 90 });
    const certificate = new X509Certificate(cert);
    expect(certificate.checkHost(host)).toBe(host);
    expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(isDue(cert, Date.now())).toBe(false);
  });
});
