import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isGone,
  isInvalid,
  isNotFound,
  isUnsupportedMediaType,
} from './error-checks.ts';
import {
  configMaps,
  defineGadgets,
  events,
  forgetHistory,
  gadgets,
  namespaces,
  openCluster,
} from './testing/test-cluster.ts';
import type { Cluster, ConfigMap, Gadget } from './testing/test-cluster.ts';

let cluster: Cluster;
const warnings: string[] = [];

beforeAll(async () => {
  cluster = await openCluster({ onWarning: (text) => void warnings.push(text) });
  await defineGadgets(cluster.kube);
});
afterAll(async () => cluster.close());

const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const map = (name: string, data: ConfigMap['data'] = {}): ConfigMap => ({
  metadata: { namespace: cluster.namespace, name, labels: { group: name.split('-')[0] ?? '' } },
  data,
});
const gadget = (name: string, spec: Gadget['spec'] = {}): Gadget => ({
  metadata: { namespace: cluster.namespace, name },
  spec,
});
const at = (name: string) => ({ namespace: cluster.namespace, name });

describe('objects', () => {
  test('are created, read, updated and deleted', async () => {
    const { kube } = cluster;
    const created = await kube.create(configMaps, map('crud', { a: '水' }));
    expect(await kube.get(configMaps, at('crud'))).toEqual(created);
    const updated = await kube.update(configMaps, { ...created, data: { a: '2' } });
    expect(updated.data).toEqual({ a: '2' });
    expect(await kube.delete(configMaps, at('crud'))).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(isNotFound(await failure(kube.get(configMaps, at('crud'))))).toBe(true);
    expect(isNotFound(await failure(kube.delete(configMaps, at('crud'))))).toBe(true);
  });

  test('are not created twice, nor over a newer version, nor against the rules', async () => {
    const { kube } = cluster;
    const created = await kube.create(configMaps, map('rules'));
    await kube.update(configMaps, { ...created, data: { a: '1' } });
    expect(isAlreadyExists(await failure(kube.create(configMaps, map('rules'))))).toBe(true);
    expect(isConflict(await failure(kube.update(configMaps, { ...created, data: { b: '1' } })))).toBe(true);
    expect(isInvalid(await failure(kube.create(configMaps, map('Not_A_Name'))))).toBe(true);
    expect(isInvalid(await failure(kube.create(gadgets, gadget('g', { color: 'pink' }))))).toBe(true);
    const moved = failure(kube.create(configMaps, { ...map('x'), metadata: { name: 'x', namespace: 'not-there' } }));
    expect(isNotFound(await moved)).toBe(true);
  });

  test('of a name with a colon are found', async () => {
    const roles = { ...namespaces, group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', plural: 'clusterroles' };
    const role = await cluster.kube.get(roles, { name: 'system:node' });
    expect(role.metadata.name).toBe('system:node');
  });

  test('are not kept by a dry run', async () => {
    await cluster.kube.create(configMaps, map('dry'), { dryRun: true });
    expect(isNotFound(await failure(cluster.kube.get(configMaps, at('dry'))))).toBe(true);
  });

  test('with unknown fields are refused or warned about, as asked', async () => {
    const odd = { ...map('odd'), dataa: {} };
    expect(isBadRequest(await failure(cluster.kube.create(configMaps, odd, { fieldValidation: 'Strict' })))).toBe(true);
    await cluster.kube.create(configMaps, odd, { fieldValidation: 'Warn' });
    expect(warnings).toContain('unknown field "dataa"');
  });
});

describe('patches', () => {
  test('of the three types change what they say', async () => {
    const { kube } = cluster;
    await kube.create(configMaps, map('patch', { a: '1', b: '1' }));
    const merged = await kube.patch(configMaps, at('patch'), { type: 'merge', body: { data: { a: null, c: '2' } } });
    expect(merged.data).toEqual({ b: '1', c: '2' });
    const operations = [
      { op: 'test', path: '/data/b', value: '1' },
      { op: 'replace', path: '/data/b', value: '3' },
    ] as const;
    const edited = await kube.patch(configMaps, at('patch'), { type: 'json', body: operations });
    expect(edited.data).toEqual({ b: '3', c: '2' });
    const strategic = { metadata: { finalizers: ['example.org/x'] }, data: { d: '4' } };
    const mixed = await kube.patch(configMaps, at('patch'), { type: 'strategic', body: strategic });
    expect([mixed.data, mixed.metadata.finalizers]).toEqual([{ b: '3', c: '2', d: '4' }, ['example.org/x']]);
    expect(isInvalid(await failure(kube.patch(configMaps, at('patch'), { type: 'json', body: operations })))).toBe(
      true,
    );
    await kube.patch(configMaps, at('patch'), { type: 'merge', body: { metadata: { finalizers: null } } });
  });

  test('that merge strategically are refused for custom resources', async () => {
    await cluster.kube.create(gadgets, gadget('strategic'));
    const call = cluster.kube.patch(gadgets, at('strategic'), { type: 'strategic', body: { spec: {} } });
    expect(isUnsupportedMediaType(await failure(call))).toBe(true);
  });

  test('apply creates, owns its fields, meets the owner of others, and takes them by force', async () => {
    const { kube } = cluster;
    const mine = { fieldManager: 'mine' };
    await kube.apply(gadgets, gadget('apply', { color: 'red', replicas: 1 }), mine);
    const theirs = { fieldManager: 'theirs' };
    const conflict = await failure(kube.apply(gadgets, gadget('apply', { color: 'blue' }), theirs));
    expect(isConflict(conflict) && conflict.body.details?.causes).toEqual([
      expect.objectContaining({ reason: 'FieldManagerConflict', field: '.spec.color' }),
    ]);
    const forced = await kube.apply(gadgets, gadget('apply', { color: 'blue' }), { ...theirs, force: true });
    expect(forced.spec).toEqual({ color: 'blue', replicas: 1 });
    expect((await kube.apply(gadgets, gadget('apply', {}), mine)).spec).toEqual({ color: 'blue' });
  });
});

describe('subresources', () => {
  test('status is written apart from the rest', async () => {
    const { kube } = cluster;
    const created = await kube.create(gadgets, { ...gadget('status', { color: 'red' }), status: { phase: 'ignored' } });
    expect(created.status).toBe(undefined);
    const both: Gadget = { ...created, spec: { color: 'blue' }, status: { phase: 'one' } };
    const updated = await kube.updateStatus(gadgets, both);
    expect([updated.spec, updated.status]).toEqual([{ color: 'red' }, { phase: 'one' }]);
    const patched = await kube.patchStatus(gadgets, at('status'), {
      type: 'merge',
      body: { status: { phase: 'two' } },
    });
    expect(patched.status).toEqual({ phase: 'two' });
    const applied = await kube.applyStatus(
      gadgets,
      { metadata: at('status'), status: { replicas: 3 } },
      { fieldManager: 'mine' },
    );
    expect(applied.status).toEqual({ phase: 'two', replicas: 3 });
  });

  test('scale is read and set', async () => {
    const { kube } = cluster;
    await kube.create(gadgets, gadget('scale', { replicas: 2 }));
    expect((await kube.getScale(gadgets, at('scale'))).spec).toEqual({ replicas: 2 });
    expect((await kube.patchScale(gadgets, at('scale'), 5)).spec).toEqual({ replicas: 5 });
    expect((await kube.get(gadgets, at('scale'))).spec).toEqual({ replicas: 5 });
  });
});

describe('deletion', () => {
  test('answers with the object while a finalizer holds it', async () => {
    const { kube } = cluster;
    const held = { ...map('held'), metadata: { ...map('held').metadata, finalizers: ['example.org/x'] } };
    await kube.create(configMaps, held);
    const answer = await kube.delete(configMaps, at('held'), { propagationPolicy: 'Background' });
    expect('metadata' in answer && typeof answer.metadata.deletionTimestamp).toBe('string');
    await kube.patch(configMaps, at('held'), { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(isNotFound(await failure(kube.get(configMaps, at('held'))))).toBe(true);
  });

  test('keeps to its preconditions', async () => {
    const { kube } = cluster;
    const { metadata } = await kube.create(configMaps, map('preconditions'));
    const ref = at('preconditions');
    const wrong = kube.delete(configMaps, ref, { preconditions: { uid: 'someone-else' } });
    expect(isConflict(await failure(wrong))).toBe(true);
    const old = kube.delete(configMaps, ref, { preconditions: { resourceVersion: '1' } });
    expect(isConflict(await failure(old))).toBe(true);
    const { uid, resourceVersion } = metadata;
    await kube.delete(configMaps, ref, { preconditions: { uid, resourceVersion }, dryRun: true });
    await kube.delete(configMaps, ref, { preconditions: { uid, resourceVersion } });
    expect(isNotFound(await failure(kube.get(configMaps, ref)))).toBe(true);
  });

  test('of a collection takes what the selector names', async () => {
    const { kube, namespace } = cluster;
    for (const name of ['del-1', 'del-2', 'keep-1']) await kube.create(configMaps, map(name));
    await kube.deleteCollection(configMaps, { namespace, labelSelector: 'group=del' });
    const left = await kube.list(configMaps, { namespace, labelSelector: 'group in (del, keep)' });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['keep-1']);
  });
});

describe('lists', () => {
  test('come in pages of one version, whatever happens meanwhile', async () => {
    const { kube, namespace } = cluster;
    for (const name of ['page-1', 'page-2', 'page-3', 'page-4', 'page-5']) await kube.create(configMaps, map(name));
    const query = { namespace, labelSelector: 'group=page' };
    const { resourceVersion } = (await kube.list(configMaps, query)).metadata;
    const names: (string | undefined)[][] = [];
    const exact = { ...query, limit: 2, resourceVersion, resourceVersionMatch: 'Exact' } as const;
    for await (const page of kube.listPages(configMaps, exact)) {
      expect(page.metadata.resourceVersion).toBe(resourceVersion);
      names.push(page.items.map(({ metadata }) => metadata.name));
      await kube.delete(configMaps, at(`page-${names.length + 2}`));
    }
    expect(names).toEqual([['page-1', 'page-2'], ['page-3', 'page-4'], ['page-5']]);
    const one = await kube.list(configMaps, { namespace, fieldSelector: 'metadata.name=page-1' });
    expect(one.items.length).toBe(1);
  });

  test('of a version that the store has forgotten are gone', async () => {
    const { kube, namespace, plane } = cluster;
    await forgetHistory(plane);
    const old = kube.list(events, { namespace, resourceVersion: '10', resourceVersionMatch: 'Exact' });
    expect(isGone(await failure(old))).toBe(true);
  });
});
