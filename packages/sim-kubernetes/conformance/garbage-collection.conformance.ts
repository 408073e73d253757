import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// On the real control plane the garbage collector is a controller of its own that learns of new kinds every 30 s,
// so owners and dependents are ConfigMaps and Secrets here.

const { api } = useServer();
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const at = (resource: string): string => `/api/v1/namespaces/${namespace}/${resource}`;
const refTo = (owner: Loose, more: Loose = {}): Loose => ({
  apiVersion: 'v1',
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...more,
});
const configMap = async (metadata: Loose): Promise<Loose> => (await api.post(at('configmaps'), { metadata })).body;
const secret = async (metadata: Loose): Promise<Loose> => (await api.post(at('secrets'), { metadata })).body;
const gone = async (path: string): Promise<number> =>
  (
    await eventually(
      () => api.get(path),
      ({ status }) => status === 404,
      30_000,
    )
  ).status;
const del = (path: string, propagationPolicy?: string): Promise<Loose> =>
  api.del(path, { apiVersion: 'v1', kind: 'DeleteOptions', ...(propagationPolicy && { propagationPolicy }) });

describe('garbage collection', () => {
  test('by default removes dependents after the owner', async () => {
    const [name, child] = [uniqueName('owner'), uniqueName('child')];
    const owner = await configMap({ name });
    await secret({ name: child, ownerReferences: [refTo(owner)] });
    const { body } = await del(`${at('configmaps')}/${name}`);
    expect(body.kind).toBe('Status');
    expect((await api.get(`${at('configmaps')}/${name}`)).status).toBe(404);
    await gone(`${at('secrets')}/${child}`);
  });

  test('in the background does the same, down to grandchildren', async () => {
    const [name, child, grandchild] = [uniqueName('owner'), uniqueName('child'), uniqueName('grandchild')];
    const owner = await configMap({ name });
    const middle = await secret({ name: child, ownerReferences: [refTo(owner)] });
    await configMap({ name: grandchild, ownerReferences: [refTo(middle)] });
    await del(`${at('configmaps')}/${name}`, 'Background');
    await gone(`${at('secrets')}/${child}`);
    expect(await gone(`${at('configmaps')}/${grandchild}`)).toBe(404);
  });

  test('with Orphan leaves dependents and removes their reference', async () => {
    const [name, child] = [uniqueName('owner'), uniqueName('child')];
    const owner = await configMap({ name });
    await secret({ name: child, ownerReferences: [refTo(owner)] });
    // A collector that has not seen the dependent yet would find nothing to orphan and later remove it.
    await seenByCollector();
    const { body } = await del(`${at('configmaps')}/${name}`, 'Orphan');
    expect(body.metadata.finalizers).toEqual(['orphan']);
    expect(body.metadata.deletionTimestamp).toBeDefined();
    await gone(`${at('configmaps')}/${name}`);
    const left = await api.get(`${at('secrets')}/${child}`);
    expect(left.status).toBe(200);
    expect(left.body.metadata).not.toHaveProperty('ownerReferences');
  });

  test('in the foreground keeps the owner, marked, until blocking dependents are gone', async () => {
    const [name, child, loose] = [uniqueName('owner'), uniqueName('child'), uniqueName('loose')];
    const owner = await configMap({ name });
    const held = { finalizers: ['example.com/hold'] };
    await secret({ name: child, ...held, ownerReferences: [refTo(owner, { blockOwnerDeletion: true })] });
    await secret({ name: loose, ...held, ownerReferences: [refTo(owner)] });
    await seenByCollector();
    const { body } = await del(`${at('configmaps')}/${name}`, 'Foreground');
    expect(body.metadata.finalizers).toEqual(['foregroundDeletion']);
    const marked = await eventually(
      () => api.get(`${at('secrets')}/${child}`),
      ({ body: seen }) => seen.metadata.deletionTimestamp !== undefined,
    );
    expect(marked.status).toBe(200);
    expect((await api.get(`${at('configmaps')}/${name}`)).status).toBe(200);
    await api.patch(`${at('secrets')}/${child}`, 'merge', { metadata: { finalizers: null } });
    // The dependent that does not block still stands when the owner goes.
    await gone(`${at('configmaps')}/${name}`);
    expect((await api.get(`${at('secrets')}/${loose}`)).status).toBe(200);
    await api.patch(`${at('secrets')}/${loose}`, 'merge', { metadata: { finalizers: null } });
  });

  test('waits for the last of several owners', async () => {
    const [first, second, child] = [uniqueName('owner'), uniqueName('owner'), uniqueName('child')];
    const owners = [await configMap({ name: first }), await configMap({ name: second })];
    await secret({ name: child, ownerReferences: owners.map((owner) => refTo(owner)) });
    await seenByCollector();
    await del(`${at('configmaps')}/${first}`);
    const { body } = await eventually(
      () => api.get(`${at('secrets')}/${child}`),
      (answer) => answer.body.metadata.ownerReferences?.length === 1,
    );
    expect(body.metadata.ownerReferences[0].name).toBe(second);
    await del(`${at('configmaps')}/${second}`);
    await gone(`${at('secrets')}/${child}`);
  });

  test('removes what names an owner that never was', async () => {
    const child = uniqueName('child');
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'never',
      uid: '00000000-0000-4000-8000-000000000000',
    };
    await secret({ name: child, ownerReferences: [reference] });
    expect(await gone(`${at('secrets')}/${child}`)).toBe(404);
  });

  test('goes by uid: an owner of the same name but another uid does not hold', async () => {
    const [name, child] = [uniqueName('owner'), uniqueName('child')];
    const owner = await configMap({ name });
    await secret({ name: child, ownerReferences: [refTo(owner, { uid: '00000000-0000-4000-8000-000000000001' })] });
    await gone(`${at('secrets')}/${child}`);
    expect((await api.get(`${at('configmaps')}/${name}`)).status).toBe(200);
  });

  test('takes an owner of another namespace for one that is not there', async () => {
    const other = await createNamespace(api);
    const { body: owner } = await api.post(`/api/v1/namespaces/${other}/configmaps`, { metadata: { name: 'far' } });
    const child = uniqueName('child');
    await secret({ name: child, ownerReferences: [refTo(owner)] });
    expect(await gone(`${at('secrets')}/${child}`)).toBe(404);
  });

  test('keeps what a cluster-scoped owner holds', async () => {
    const { body: owner } = await api.get(`/api/v1/namespaces/${namespace}`);
    const child = uniqueName('child');
    await secret({ name: child, ownerReferences: [refTo(owner)] });
    await seenByCollector();
    expect((await api.get(`${at('secrets')}/${child}`)).status).toBe(200);
  });

  // Dependents are worked on in order of their arrival: when a later orphan is gone, earlier objects were seen.
  async function seenByCollector(): Promise<void> {
    for (const resource of ['secrets', 'configmaps']) {
      const name = uniqueName('probe');
      const reference = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'never',
        uid: '00000000-0000-4000-8000-000000000002',
      };
      await api.post(at(resource), { metadata: { name, ownerReferences: [reference] } });
      await gone(`${at(resource)}/${name}`);
    }
  }
});

describe('garbage collection of custom kinds', () => {
  let crd: ScratchCrd;
  beforeAll(async () => {
    crd = await createCrd(api);
  });

  // The collector of the real control plane looks for new kinds every 30 s.
  test('removes the dependents of a custom resource', async () => {
    const { body: owner } = await api.post(crd.at(namespace), crd.object('owner'));
    const child = uniqueName('child');
    await secret({
      name: child,
      ownerReferences: [{ apiVersion: crd.apiVersion, kind: 'River', name: 'owner', uid: owner.metadata.uid }],
    });
    await api.del(`${crd.at(namespace)}/owner`);
    await eventually(
      () => api.get(`${at('secrets')}/${child}`),
      ({ status }) => status === 404,
      55_000,
    );
    expect((await api.get(`${crd.at(namespace)}/owner`)).status).toBe(404);
  });
});
