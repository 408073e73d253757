import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inClusterAccess } from '../kubeconfig/in-cluster-access.ts';
import { systemAccessDeps } from '../kubeconfig/system-access-deps.ts';
import { defineKind } from '../kind.ts';
import { createKubeClient } from './create-kube-client.ts';
import { isForbidden, isUnauthorized } from './error-checks.ts';
import type { WatchEvent } from './kube-client.ts';
import { configMaps, events, forgetHistory, openCluster, serviceAccounts } from './testing/test-cluster.ts';
import type { Cluster, ConfigMap } from './testing/test-cluster.ts';
import { createUndiciTransport } from './undici-transport.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(async () => cluster.close());

const map = (name: string, group: string): ConfigMap => ({
  metadata: { namespace: cluster.namespace, name, labels: { group } },
});
const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Collects `TYPE name` of each event and aborts when `enough` says so. */
async function collect(
  options: Parameters<Cluster['kube']['watch']>[1],
  enough: (event: WatchEvent<ConfigMap>, seen: readonly string[]) => boolean,
) {
  const seen: string[] = [];
  const events: WatchEvent<ConfigMap>[] = [];
  const controller = new AbortController();
  const reason = new Error('seen enough');
  const ended = await failure(
    cluster.kube.watch(configMaps, { namespace: cluster.namespace, signal: controller.signal, ...options }, (event) => {
      events.push(event);
      seen.push(event.type === 'ERROR' ? `ERROR ${event.object.code}` : `${event.type} ${event.object.metadata.name}`);
      if (enough(event, seen)) controller.abort(reason);
    }),
  );
  return { seen, events, ended: ended === reason ? 'aborted' : ended };
}

test('a watch shows what happens after the list it starts from, and ends when it is aborted', async () => {
  const { kube, namespace } = cluster;
  const labelSelector = 'group=watch';
  const { metadata } = await kube.list(configMaps, { namespace, labelSelector });
  const watching = collect(
    { labelSelector, resourceVersion: metadata.resourceVersion },
    (_, { length }) => length === 4,
  );
  const ref = { namespace, name: 'w-1' };
  await kube.create(configMaps, map('w-1', 'watch'));
  await kube.patch(configMaps, ref, { type: 'merge', body: { data: { text: '水\n€' } } });
  await kube.patch(configMaps, ref, { type: 'merge', body: { metadata: { labels: { group: 'other' } } } });
  await kube.create(configMaps, map('w-2', 'watch'));
  const { seen, ended, events } = await watching;
  expect(seen).toEqual(['ADDED w-1', 'MODIFIED w-1', 'DELETED w-1', 'ADDED w-2']);
  expect(ended).toBe('aborted');
  expect(events[1]).toMatchObject({ object: { data: { text: '水\n€' } } });
});

test('a watch-list sends what is there, then a bookmark that says so, then changes', async () => {
  const { kube } = cluster;
  await kube.create(configMaps, map('l-1', 'list'));
  await kube.create(configMaps, map('l-2', 'list'));
  const isEnd = (event: WatchEvent<ConfigMap>): boolean =>
    event.type === 'BOOKMARK' && event.object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  let later: Promise<unknown> | undefined;
  const { seen } = await collect(
    {
      labelSelector: 'group=list',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    },
    (event) => {
      if (isEnd(event)) later = kube.create(configMaps, map('l-3', 'list'));
      return event.type === 'ADDED' && event.object.metadata.name === 'l-3';
    },
  );
  await later;
  expect(seen.slice(0, 2).toSorted()).toEqual(['ADDED l-1', 'ADDED l-2']);
  expect(seen.slice(2)).toEqual(['BOOKMARK undefined', 'ADDED l-3']);
});

test('a watch with a time limit ends cleanly, with a bookmark shortly before', async () => {
  const { seen, ended } = await collect(
    { labelSelector: 'group=nothing', allowWatchBookmarks: true, timeoutSeconds: 3, resourceVersion: '0' },
    () => false,
  );
  expect(ended).toBe(undefined);
  expect(new Set(seen)).toEqual(new Set(['BOOKMARK undefined']));
});

test('a quiet watch is given up after its limit of silence', async () => {
  const { ended } = await collect(
    { labelSelector: 'group=nothing', timeoutSeconds: 60, idleTimeoutMs: 300 },
    () => false,
  );
  expect(ended).toMatchObject({ code: 'kube/unreachable' });
  expect(String(ended)).toContain('silence for 300 ms');
});

test('a watch from a version that the server has forgotten is told so by an event', async () => {
  const { kube, namespace, plane } = cluster;
  await forgetHistory(plane);
  const seen: unknown[] = [];
  await kube.watch(events, { namespace, resourceVersion: '10', timeoutSeconds: 5 }, ({ type, object }) =>
    seen.push([type, 'reason' in object ? object.reason : undefined]),
  );
  expect(seen).toEqual([['ERROR', 'Expired']]);
});

const roles = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
});
const bindings = { ...roles, kind: 'RoleBinding', plural: 'rolebindings' };

test('a pod reaches the server with the token of its ServiceAccount and may do what its role says', async () => {
  const { kube, namespace, plane } = cluster;
  const folder = await mkdtemp(join(tmpdir(), 'tributary-pod-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const name = 'pod';
  await kube.create(serviceAccounts, { metadata: { namespace, name } });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } };
  type TokenRequest = { readonly status: { readonly token: string } };
  const { status } = await kube.createSubresource<TokenRequest>(serviceAccounts, { namespace, name }, 'token', body);
  await writeFile(join(folder, 'token'), status.token);
  await writeFile(join(folder, 'ca.crt'), plane.ca);
  await writeFile(join(folder, 'namespace'), namespace);
  const { hostname, port } = new URL(plane.url);
  const deps = systemAccessDeps({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port });
  const access = await inClusterAccess(deps, folder);
  const transport = createUndiciTransport({ access }, deps);
  onTestFinished(async () => transport.close());
  const pod = createKubeClient({ transport });

  expect(access.namespace).toBe(namespace);
  expect(isForbidden(await failure(pod.list(configMaps, { namespace })))).toBe(true);
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
  await kube.create(roles, { metadata: { namespace, name }, rules });
  await kube.create(bindings, {
    metadata: { namespace, name },
    roleRef: { apiGroup: roles.group, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  await expect.poll(async () => failure(pod.list(configMaps, { namespace }))).toBe(undefined);
});

test('a token that the server does not know is unauthorized', async () => {
  const { plane } = cluster;
  const credentials = { headers: { authorization: 'Bearer wrong' } };
  const access = {
    server: plane.url,
    tls: { ca: { data: plane.ca } },
    auth: { credentials: async () => credentials, refused: () => undefined },
  };
  const transport = createUndiciTransport({ access }, systemAccessDeps({}));
  onTestFinished(async () => transport.close());
  expect(isUnauthorized(await failure(createKubeClient({ transport }).list(configMaps)))).toBe(true);
});
