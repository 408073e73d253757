import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createUndiciTransport, loadClusterAccess, systemAccessDeps } from '@tributary/runtime';
import type { Transport } from '@tributary/runtime/transport';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { obtainBinaries } from '../../../tools/control-plane/obtain-binaries.ts';
import type { RealCluster } from './outside/outside-options.ts';
import { startCluster } from './start-any-cluster.ts';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lakes.x.test' },
  spec: {
    group: 'x.test',
    scope: 'Namespaced',
    names: { plural: 'lakes', kind: 'Lake' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const configuration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'lakes' },
  webhooks: [
    {
      name: 'lakes.x.test',
      clientConfig: { service: { namespace: 'default', name: 'hooks', path: '/judge' } },
      rules: [{ operations: ['CREATE'], apiGroups: ['x.test'], apiVersions: ['*'], resources: ['lakes'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

let folder: string;
let cluster: RealCluster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-cluster-'));
  const { etcd } = await obtainBinaries(
    ['etcd', 'kube-apiserver'],
    process.env,
    (line) => void process.stderr.write(`${line}\n`),
  );
  cluster = await startCluster({
    real: true,
    assetsPath: dirname(etcd),
    crds: [crd],
    webhooks: {
      configurations: [configuration],
      handlers: {
        '/judge': ({ name }) => ({ allowed: name !== 'bad', status: { message: 'no bad lakes' } }),
      },
    },
  });
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

const lakes = '/apis/x.test/v1/namespaces/default/lakes';

async function post(transport: Transport, name: string): Promise<{ readonly status: number; readonly text: string }> {
  const body = JSON.stringify({ apiVersion: 'x.test/v1', kind: 'Lake', metadata: { name } });
  const headers = { 'content-type': 'application/json' };
  const answer = await transport.request({ method: 'POST', path: lakes, headers, body });
  return { status: answer.status, text: new TextDecoder().decode(answer.body) };
}

test('a real API server has the CRDs, and asks the webhooks', async () => {
  const transport = cluster.transport();
  await expect
    .poll(async () => (await post(transport, 'bad')).text, { timeout: 10_000 })
    .toContain('denied the request: no bad lakes');
  expect(await post(transport, 'good')).toMatchObject({ status: 201 });
  await transport.close();
});

test('a user that was added has the rights of their groups, and no others', async () => {
  const open = async (name: string, groups: readonly string[]): Promise<Transport> => {
    const path = join(folder, name);
    await writeFile(path, cluster.addUser({ name, groups }).kubeconfig);
    const deps = systemAccessDeps({});
    return createUndiciTransport({ access: await loadClusterAccess({ kubeconfig: path }, deps) }, deps);
  };
  const [jane, root] = [await open('jane', ['devs']), await open('root', ['system:masters'])];
  const refused = await jane.request({ method: 'GET', path: lakes });
  expect([refused.status, new TextDecoder().decode(refused.body)]).toEqual([
    403,
    expect.stringContaining('User \\"jane\\" cannot list resource'),
  ]);
  expect((await root.request({ method: 'GET', path: lakes })).status).toBe(200);
  await Promise.all([jane.close(), root.close()]);
});

test('without the programs it says where to get them', async () => {
  expect(existsSync(join(folder, 'etcd'))).toBe(false);
  await expect(startCluster({ real: true, assetsPath: folder })).rejects.toThrow(
    /etcd and kube-apiserver are not in .*: set KUBEBUILDER_ASSETS/,
  );
});
