import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from './registry/json.ts';
import { startCluster } from './start-cluster.ts';
import type { Cluster } from './start-cluster.ts';
import type { ClusterOptions } from './cluster-options.ts';

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { deep: { type: 'boolean' } } } },
  },
};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lakes.x.test' },
  spec: {
    group: 'x.test',
    scope: 'Namespaced',
    names: { plural: 'lakes', kind: 'Lake' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
};
const lakes = { group: 'x.test', plural: 'lakes' };
const configMaps = { group: '', plural: 'configmaps' };
const at = '/api/v1/namespaces/default/configmaps';
const lake = (name: string): JsonObject => ({
  apiVersion: 'x.test/v1',
  kind: 'Lake',
  metadata: { name, namespace: 'default' },
  spec: { deep: true },
});
const map = (name: string): JsonObject => ({ metadata: { name, namespace: 'default' } });

const running: Cluster[] = [];
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.stop();
});
async function start(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await startCluster({ listen: false, freeze: true, ...options });
  running.push(cluster);
  return cluster;
}

type Body = {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly code?: number;
};

async function get(cluster: Cluster, path: string): Promise<{ readonly status: number; readonly body: Body }> {
  const { status, body } = await cluster.transport().request({ method: 'GET', path });
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as Body };
}

test('a cluster goes on where the snapshot was taken, custom resources included', async () => {
  const first = await start({ crds: [crd] });
  const stored = await first.client.create(lakes, lake('a'));
  const snapshot = JSON.parse(JSON.stringify(first.snapshot())) as ReturnType<Cluster['snapshot']>;
  await first.client.create(lakes, lake('later'));
  const second = await start({ snapshot });
  expect(second.client.list(lakes, 'default')).toEqual([stored]);
  expect((await get(second, '/apis/x.test/v1/lakes')).status).toBe(200);
  const created = await second.client.create(lakes, lake('b'));
  expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision);
  const unknown = { ...lake('c'), spec: { deep: 'no' } };
  await expect(second.client.create(lakes, unknown)).rejects.toThrow('spec.deep');
});

test('clusters that start from one snapshot do not know each other', async () => {
  const origin = await start();
  await origin.client.create(configMaps, map('a'));
  const snapshot = origin.snapshot();
  const [one, two] = [await start({ snapshot }), await start({ snapshot })];
  await one.client.change(configMaps, { namespace: 'default', name: 'a' }, (draft) => {
    draft['data'] = { changed: 'yes' };
  });
  const read = (cluster: Cluster): unknown =>
    cluster.client.get(configMaps, { namespace: 'default', name: 'a' })?.['data'];
  expect([one, two, origin].map(read)).toEqual([{ changed: 'yes' }, undefined, undefined]);
});

test('watches and pages from before the snapshot are over, and those from it go on', async () => {
  const first = await start();
  const before = first.store.revision();
  for (const name of ['a', 'b']) await first.client.create(configMaps, map(name));
  const page = await get(first, `${at}?limit=1`);
  await first.client.create(configMaps, map('c'));
  const snapshot = first.snapshot();
  const second = await start({ snapshot });
  const old = await get(second, `${at}?watch=true&resourceVersion=${before}&timeoutSeconds=1`);
  expect(old.body).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  const token = encodeURIComponent(page.body.metadata.continue ?? '');
  await second.client.create(configMaps, map('d'));
  expect((await get(second, `${at}?limit=1&continue=${token}`)).status).toBe(410);
  const events: string[] = [];
  const { revision } = snapshot;
  const ended = new AbortController();
  const watch = second.transport().stream(
    { method: 'GET', path: `${at}?watch=true&resourceVersion=${revision}`, signal: ended.signal },
    {
      onHead: () => undefined,
      onChunk: (chunk) => {
        events.push(new TextDecoder().decode(chunk));
        if (events.join('').includes('"name":"e"')) ended.abort();
      },
    },
  );
  await second.client.create(configMaps, map('e'));
  await expect(watch).rejects.toThrow('abort');
  expect(events.join('')).toMatch(/ADDED.*"name":"d".*ADDED.*"name":"e"/s);
  expect(events.join('')).not.toContain('"name":"a"');
});

test('controllers take up what was left undone', async () => {
  const first = await start({ controllers: [] });
  const namespaces = { group: '', plural: 'namespaces' };
  await first.client.create(namespaces, { metadata: { name: 'old' } });
  await first.client.create(configMaps, { metadata: { name: 'a', namespace: 'old' } });
  const path = '/api/v1/namespaces/old';
  await first.transport().request({ method: 'DELETE', path });
  expect((await get(first, path)).status).toBe(200);
  const second = await start({ snapshot: first.snapshot() });
  await expect.poll(async () => (await get(second, path)).status).toBe(404);
  expect(second.client.list(configMaps, 'old')).toEqual([]);
});

test('a snapshot in a file is read at the start and written at the stop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  const snapshotPath = join(folder, 'snapshot.json');
  const first = await startCluster({ listen: false, snapshotPath });
  const stored = await first.client.create(configMaps, map('kept'));
  await first.stop();
  const second = await startCluster({ listen: false, snapshotPath });
  expect(second.client.get(configMaps, { namespace: 'default', name: 'kept' })).toEqual(stored);
  await second.stop();
  await rm(folder, { recursive: true });
});
