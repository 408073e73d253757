import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCluster } from './start-cluster.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sim-kubernetes-'));
});
afterEach(async () => rm(folder, { recursive: true }));

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lakes.x.test }
spec:
  group: x.test
  scope: Namespaced
  names: { plural: lakes, kind: Lake }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { deep: { type: boolean } } } } } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: not-a-crd }
`;
const lakes = { group: 'x.test', plural: 'lakes' };
const lake = {
  apiVersion: 'x.test/v1',
  kind: 'Lake',
  metadata: { name: 'a', namespace: 'default' },
  spec: { deep: true },
};

test('the CustomResourceDefinitions of files and folders are served from the first moment', async () => {
  await writeFile(join(folder, 'lakes.yaml'), crd);
  for (const path of [folder, join(folder, 'lakes.yaml')]) {
    const cluster = await startCluster({ listen: false, crdPaths: [path] });
    expect(await cluster.client.create(lakes, lake)).toMatchObject({ spec: { deep: true } });
    await cluster.stop();
  }
});

test('the kubeconfig leads to the server', async () => {
  const kubeconfigPath = join(folder, 'kubeconfig');
  const cluster = await startCluster({ kubeconfigPath, controllers: [] });
  const text = await readFile(kubeconfigPath, 'utf8');
  expect(text).toBe(cluster.kubeconfig);
  expect(text).toContain(`server: ${cluster.url}`);
  expect(text).toContain(Buffer.from(cluster.ca).toString('base64'));
  await cluster.stop();
});

test('a cluster that does not listen has no address', async () => {
  const cluster = await startCluster({ listen: false });
  expect([cluster.url, cluster.kubeconfig]).toEqual(['', '']);
  await cluster.stop();
});

test('two clusters at once do not know each other', async () => {
  const [one, two] = await Promise.all([startCluster({ controllers: [] }), startCluster({ controllers: [] })]);
  expect(one.url).not.toBe(two.url);
  const object = { metadata: { name: 'a', namespace: 'default' } };
  await one.client.create({ group: '', plural: 'configmaps' }, object);
  expect(two.client.list({ group: '', plural: 'configmaps' }, 'default')).toEqual([]);
  await Promise.all([one.stop(), two.stop()]);
});
