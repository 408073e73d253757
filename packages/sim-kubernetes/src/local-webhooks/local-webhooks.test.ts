import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HttpResponse, Transport } from '@tributary/runtime/transport';
import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, expect, test } from 'vitest';
import { startCluster } from '../index.ts';
import type { ReviewRequest } from '../index.ts';
import { answerReview } from './review-handler.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

const configuration = (kind: 'Mutating' | 'Validating', path: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: `test-${kind.toLowerCase()}` },
  webhooks: [
    {
      name: 'hook.example.com',
      // As manifests for a real cluster have it: the Service is not there in a test.
      clientConfig: { service: { name: 'operator', namespace: 'system', path } },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

const handlers = {
  '/mutate': () => ({ allowed: true, patch: [{ op: 'add', path: '/data', value: { set: 'by webhook' } }] }),
  '/validate': (request: { readonly name?: string }) => ({
    allowed: request.name !== 'bad',
    status: { message: 'a bad name' },
    warnings: ['looked at'],
  }),
};
const configurations = [configuration('Mutating', '/mutate'), configuration('Validating', '/validate')];

async function create(transport: Transport, name: string): Promise<Answer> {
  const path = '/api/v1/namespaces/default/configmaps';
  const body = JSON.stringify({ metadata: { name } });
  const headers = { 'content-type': 'application/json' };
  return read(await transport.request({ method: 'POST', path, headers, body }));
}

// oxlint-disable-next-line typescript/no-explicit-any -- bodies have no type that a test would need
type Answer = { readonly status: number; readonly body: any };

function read({ status, body }: HttpResponse): Answer {
  return { status, body: JSON.parse(new TextDecoder().decode(body)) };
}

for (const listen of [true, false]) {
  test(`handlers answer the API server ${listen ? 'over TLS' : 'in process'}`, async () => {
    const cluster = await startCluster({ listen, webhooks: { configurations, handlers } });
    cleanups.push(cluster.stop);
    const good = await create(cluster.transport(), 'good');
    expect([good.status, good.body.data]).toEqual([201, { set: 'by webhook' }]);
    const bad = await create(cluster.transport(), 'bad');
    expect([bad.status, bad.body.message]).toEqual([
      400,
      'admission webhook "hook.example.com" denied the request: a bad name',
    ]);
    expect(cluster.webhooks?.url).toMatch(listen ? /^https:\/\/127\.0\.0\.1:\d+$/ : /^https:\/\/webhooks\.in-process$/);
  });
}

test('a simulation asks webhooks on its own clock', async () => {
  const clock = createSimulatedClock();
  const cluster = await startCluster({ listen: false, clock, webhooks: { configurations, handlers } });
  cleanups.push(cluster.stop);
  expect((await create(cluster.transport(), 'good')).status).toBe(201);
});

test('a server of the user answers with the certificate that the cluster made', async () => {
  const own = createServer();
  await new Promise<void>((resolve) => void own.listen(0, '127.0.0.1', resolve));
  const { port } = own.address() as { readonly port: number };
  const cluster = await startCluster({ webhooks: { configurations, port } });
  cleanups.push(cluster.stop, async () => own.close());
  own.setSecureContext({ cert: cluster.webhooks!.certificate, key: cluster.webhooks!.key });
  own.on('request', (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    void text(incoming)
      .then((body) => answerReview(handlers, path, body))
      .then((reply) => outgoing.end(reply.body));
  });
  expect((await create(cluster.transport(), 'bad')).status).toBe(400);
  expect((await create(cluster.transport(), 'good')).status).toBe(201);
});

test('CRDs that convert by webhook are converted by a handler', async () => {
  const version = (name: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rivers.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'rivers', kind: 'River' },
      versions: [version('v1', true), version('v2', false)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { name: 'operator', namespace: 'system', path: '/convert' } },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  };
  const convert = (request: ReviewRequest): { convertedObjects: object[] } => ({
    convertedObjects: request['objects'].map((object: object) => ({
      ...object,
      apiVersion: request['desiredAPIVersion'],
      converted: true,
    })),
  });
  const cluster = await startCluster({ listen: false, crds: [crd], webhooks: { handlers: { '/convert': convert } } });
  cleanups.push(cluster.stop);
  await cluster.install([{ apiVersion: 'example.com/v1', kind: 'River', metadata: { name: 'one' } }]);
  const answer = await cluster.transport().request({ method: 'GET', path: '/apis/example.com/v2/rivers/one' });
  expect(read(answer).body).toMatchObject({ apiVersion: 'example.com/v2', converted: true });
});

test('webhooks without anybody who answers are refused', async () => {
  await expect(startCluster({ webhooks: { configurations } })).rejects.toThrow('handlers, or the port');
});

test('an existing cluster gets CRDs and webhooks too, and the webhooks are taken away again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'existing-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const there = await startCluster({ kubeconfigPath });
  cleanups.push(there.stop);
  const crdPath = join(folder, 'crd.yaml');
  await writeFile(
    crdPath,
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lakes.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { plural: lakes, kind: Lake }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`,
  );
  const options = {
    existing: true,
    kubeconfigPath,
    crdPaths: [crdPath],
    webhooks: { configurations, handlers },
  } as const;
  const cluster = await startCluster(options);
  const transport = cluster.transport();
  cleanups.push(transport.close);
  expect(cluster.url).toBe(there.url);
  expect((await transport.request({ method: 'GET', path: '/apis/example.com/v1/lakes' })).status).toBe(200);
  expect((await create(transport, 'bad')).status).toBe(400);
  await cluster.stop();
  expect((await create(transport, 'bad')).status).toBe(201);
});

test('a real control plane is started and stopped by the function that is given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'real-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  const kubeconfigPath = join(folder, 'kubeconfig');
  let stopped = 0;
  const cluster = await startCluster({
    real: async () => {
      const started = await startCluster({ kubeconfigPath });
      return { kubeconfigPath, stop: async () => (stopped++, started.stop()) };
    },
  });
  expect(cluster.url).toMatch(/^https:/);
  await cluster.stop();
  expect(stopped).toBe(1);
});
