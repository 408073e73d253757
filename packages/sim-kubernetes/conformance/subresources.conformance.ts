import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, uniqueName } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('subresources');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { replicas: { type: 'integer' }, other: { type: 'string' } } },
        status: {
          type: 'object',
          properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } },
        },
      },
    },
  });
});
const path = (name: string): string => `${crd.at(namespace)}/${name}`;
const create = async (name: string, more: Loose = {}): Promise<Loose> =>
  (await api.post(crd.at(namespace), crd.object(name, more))).body;

describe('the status of a custom resource', () => {
  test('is dropped on create', async () => {
    expect(await create('created', { spec: { replicas: 1 }, status: { phase: 'Ready' } })).not.toHaveProperty('status');
  });

  test('is kept by an update of the object, and the object by an update of the status', async () => {
    const first = await create('split', { spec: { other: 'a' } });
    const withStatus = await api.put(`${path('split')}/status`, {
      ...first,
      spec: { other: 'lost' },
      status: { phase: 'Ready' },
      metadata: { ...first.metadata, labels: { lost: 'yes' } },
    });
    expect(withStatus.status).toBe(200);
    expect(withStatus.body).toMatchObject({ spec: { other: 'a' }, status: { phase: 'Ready' } });
    expect(withStatus.body.metadata).not.toHaveProperty('labels');
    expect(withStatus.body.metadata.generation).toBe(1);
    const updated = await api.put(path('split'), {
      ...withStatus.body,
      spec: { other: 'b' },
      status: { phase: 'Lost' },
    });
    expect(updated.body).toMatchObject({
      spec: { other: 'b' },
      status: { phase: 'Ready' },
      metadata: { generation: 2 },
    });
  });

  test('is read under its own path as the whole object', async () => {
    const { status, body } = await api.get(`${path('split')}/status`);
    expect(status).toBe(200);
    expect(body).toEqual((await api.get(path('split'))).body);
  });

  test('takes no notice of a uid in a patch, but of a resourceVersion', async () => {
    const { metadata } = await create('named');
    const patch = async (claimed: Loose): Promise<Loose> =>
      api.patch(`${path('named')}/status`, 'merge', { metadata: claimed, status: { phase: 'Given' } });
    const other = await patch({ uid: '00000000-0000-4000-8000-000000000000' });
    expect(other).toMatchObject({ status: 200, body: { metadata: { uid: metadata.uid }, status: { phase: 'Given' } } });
    expect(await patch({ resourceVersion: metadata.resourceVersion })).toMatchObject({ status: 409 });
  });

  test('is checked against resourceVersion', async () => {
    const first = await create('locked');
    await api.patch(`${path('locked')}/status`, 'merge', { status: { phase: 'One' } });
    expect((await api.put(`${path('locked')}/status`, { ...first, status: { phase: 'Two' } })).status).toBe(409);
  });

  test('cannot be created or deleted', async () => {
    const posted = await api.post(`${path('split')}/status`, { status: {} });
    const deleted = await api.del(`${path('split')}/status`);
    expect(maskedAnswer(posted, { [crd.group]: '<group>' })).toEqual(golden('POST status'));
    expect(maskedAnswer(deleted, { [crd.group]: '<group>' })).toEqual(golden('DELETE status'));
  });

  test('cannot change finalizers or owners', async () => {
    await create('guarded', { metadata: { finalizers: ['example.com/a'] } });
    const { body } = await api.patch(`${path('guarded')}/status`, 'merge', {
      metadata: { finalizers: null },
      status: { phase: 'X' },
    });
    expect(body.metadata.finalizers).toEqual(['example.com/a']);
    await api.patch(path('guarded'), 'merge', { metadata: { finalizers: null } });
  });
});

describe('the scale of a custom resource', () => {
  test('is read as autoscaling/v1 Scale', async () => {
    await create('scaled', { spec: { replicas: 2 } });
    await api.patch(`${path('scaled')}/status`, 'merge', { status: { replicas: 1, selector: 'app=x' } });
    const { status, body } = await api.get(`${path('scaled')}/scale`);
    expect(status).toBe(200);
    expect(masked(body, { [namespace]: '<namespace>' })).toEqual(golden('scale'));
  });

  test('is written by update and by patch, and raises the generation', async () => {
    const { body: scale } = await api.get(`${path('scaled')}/scale`);
    const put = await api.put(`${path('scaled')}/scale`, { ...scale, spec: { replicas: 5 } });
    expect(put.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    const patched = await api.patch(`${path('scaled')}/scale`, 'merge', { spec: { replicas: 6 } });
    expect(patched.body).toMatchObject({ kind: 'Scale', spec: { replicas: 6 } });
    expect((await api.get(path('scaled'))).body).toMatchObject({ spec: { replicas: 6 }, metadata: { generation: 3 } });
  });

  test('is refused with a stale version or a negative number', async () => {
    const { body: scale } = await api.get(`${path('scaled')}/scale`);
    await api.patch(path('scaled'), 'merge', { spec: { other: 'x' } });
    expect((await api.put(`${path('scaled')}/scale`, { ...scale, spec: { replicas: 7 } })).status).toBe(409);
    const negative = await api.patch(`${path('scaled')}/scale`, 'merge', { spec: { replicas: -1 } });
    expect(maskedAnswer(negative, { [crd.group]: '<group>' })).toEqual(golden('negative scale'));
  });

  test('without replicas cannot be read', async () => {
    await create('unscaled');
    const { status, body } = await api.get(`${path('unscaled')}/scale`);
    expect(maskedScale(status, body)).toEqual(golden('unscaled'));
  });

  const maskedScale = (status: number, body: Loose): Loose => ({
    status,
    body: masked(body, { [namespace]: '<namespace>', [crd.group]: '<group>' }),
  });
});

describe('the scale of a Deployment', () => {
  test('is read, written and seen in the object', async () => {
    const name = uniqueName('web');
    const at = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.post(at, {
      metadata: { name },
      spec: { replicas: 0, paused: true, selector: { matchLabels: { app: name } }, template },
    });
    const { body } = await api.get(`${at}/${name}/scale`);
    expect(body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, namespace },
      spec: {},
      status: { replicas: 0, selector: `app=${name}` },
    });
    const patched = await api.patch(`${at}/${name}/scale`, 'merge', { spec: { replicas: 1 } }, { dryRun: 'All' });
    expect(patched.body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
    const put = await api.put(`${at}/${name}/scale`, { metadata: { name, namespace }, spec: { replicas: -1 } });
    expect(maskedAnswer(put, { [name]: '<name>', [namespace]: '<namespace>' })).toEqual(
      golden('negative scale of a Deployment'),
    );
  });
});

describe('the status of built-ins', () => {
  test('of a Deployment is dropped on create, kept on update and written apart', async () => {
    const name = uniqueName('web');
    const at = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 0, paused: true, selector: { matchLabels: { app: name } }, template };
    const { body } = await api.post(at, { metadata: { name }, spec, status: { replicas: 9 } }, { dryRun: 'All' });
    expect(body.status).toEqual({});
    expect(body.metadata.generation).toBe(1);
  });

  test('of a Namespace has a finalize path of its own', async () => {
    const name = await createNamespace(api);
    const { body } = await api.get(`/api/v1/namespaces/${name}`);
    const { status, body: finalized } = await api.put(`/api/v1/namespaces/${name}/finalize`, {
      ...body,
      spec: { finalizers: ['kubernetes', 'example.com/more'] },
    });
    expect(status).toBe(200);
    expect(finalized.spec.finalizers).toEqual(['kubernetes', 'example.com/more']);
    const main = await api.put(`/api/v1/namespaces/${name}`, { ...finalized, spec: { finalizers: [] } });
    expect(main.body.spec.finalizers).toEqual(['kubernetes', 'example.com/more']);
    await api.put(`/api/v1/namespaces/${name}/finalize`, { ...main.body, spec: { finalizers: ['kubernetes'] } });
  });
});
