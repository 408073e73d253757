import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('pod-life');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const at = (): string => `/api/v1/namespaces/${namespace}/pods`;
const create = async (more: Loose = {}): Promise<Loose> => (await api.post(at(), pod(uniqueName('pod'), more))).body;
const bind = (name: string, node: string): Promise<Answer> =>
  api.post(`${at()}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: node },
  });
describe('the life of a pod', () => {
  test('without a node it is gone at once when deleted', async () => {
    const { metadata } = await create();
    const { status } = await api.del(`${at()}/${metadata.name}`);
    expect(status).toBe(200);
    expect((await api.get(`${at()}/${metadata.name}`)).status).toBe(404);
  });

  test('is bound to a node once', async () => {
    const { metadata } = await create();
    const node = uniqueName('node');
    const bound = await bind(metadata.name, node);
    expect(bound.status).toBe(201);
    expect(bound.body).toMatchObject({ kind: 'Status', status: 'Success' });
    const { body } = await api.get(`${at()}/${metadata.name}`);
    expect(body.spec.nodeName).toBe(node);
    expect(body.status.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]);
    const again = await bind(metadata.name, node);
    expect(maskedAnswer(again, { [metadata.name]: '<name>', [node]: '<node>' })).toEqual(golden('bound twice'));
    await api.del(`${at()}/${metadata.name}`, { gracePeriodSeconds: 0 });
  });

  test('on a node it is marked with its grace, and removed when grace 0 is asked', async () => {
    const { metadata } = await create({ spec: { terminationGracePeriodSeconds: 40 } });
    const path = `${at()}/${metadata.name}`;
    await bind(metadata.name, uniqueName('node'));
    const marked = await api.del(path);
    expect(marked.body).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 40, generation: 2 } });
    const inSeconds = (Date.parse(marked.body.metadata.deletionTimestamp) - Date.now()) / 1000;
    expect(inSeconds).toBeGreaterThan(30);
    expect(inSeconds).toBeLessThan(41);
    const shorter = await api.del(path, { gracePeriodSeconds: 5 });
    expect(shorter.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const longer = await api.del(path, { gracePeriodSeconds: 60 });
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const removed = await api.del(path, { gracePeriodSeconds: 0 });
    expect(removed.status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
  });

  test('that has finished goes at once', async () => {
    const { metadata } = await create();
    const path = `${at()}/${metadata.name}`;
    await bind(metadata.name, uniqueName('node'));
    await api.patch(`${path}/status`, 'merge', { status: { phase: 'Succeeded' } });
    await api.del(path);
    expect((await api.get(path)).status).toBe(404);
  });

  test('status is written apart and keeps labels and annotations', async () => {
    const { metadata } = await create({ metadata: { labels: { a: '1' } } });
    const path = `${at()}/${metadata.name}`;
    const { status, body } = await api.patch(`${path}/status`, 'strategic', {
      metadata: { labels: { b: '2' }, annotations: { c: '3' } },
      spec: { activeDeadlineSeconds: 5 },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
      },
    });
    expect(status).toBe(200);
    expect(body.metadata.labels).toEqual({ a: '1', b: '2' });
    expect(body.metadata.annotations).toEqual({ c: '3' });
    expect(body.spec).not.toHaveProperty('activeDeadlineSeconds');
    expect(body.status).toMatchObject({ phase: 'Running', podIP: '10.0.0.1' });
    const second = await api.patch(`${path}/status`, 'strategic', {
      status: { conditions: [{ type: 'Initialized', status: 'True' }] },
    });
    expect(second.body.status.conditions.map(({ type }: Loose) => type).toSorted()).toEqual(['Initialized', 'Ready']);
    await api.del(path, { gracePeriodSeconds: 0 });
  });

  test('takes ephemeral containers under their own path only', async () => {
    const { metadata, spec } = await create();
    const path = `${at()}/${metadata.name}`;
    const debug = { name: 'debug', image: 'busybox', targetContainerName: 'main' };
    const refused = await api.patch(path, 'strategic', { spec: { ephemeralContainers: [debug] } });
    expect(refused.status).toBe(422);
    const { status, body } = await api.patch(`${path}/ephemeralcontainers`, 'strategic', {
      spec: { ephemeralContainers: [debug] },
    });
    expect(status).toBe(200);
    expect(body.spec.ephemeralContainers).toEqual([
      {
        ...debug,
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ]);
    expect(body.spec.containers).toEqual(spec.containers);
    const removal = await api.patch(`${path}/ephemeralcontainers`, 'merge', { spec: { ephemeralContainers: [] } });
    expect(maskedAnswer(removal, { [metadata.name]: '<name>' })).toEqual(golden('ephemeral containers removed'));
    await api.del(path);
  });

  test('can be evicted', async () => {
    const { metadata } = await create();
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    const dry = await api.post(`${at()}/${metadata.name}/eviction`, {
      ...eviction,
      deleteOptions: { dryRun: ['All'] },
    });
    expect(dry.status).toBe(201);
    expect((await api.get(`${at()}/${metadata.name}`)).status).toBe(200);
    const { status, body } = await api.post(`${at()}/${metadata.name}/eviction`, eviction);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    await eventually(
      () => api.get(`${at()}/${metadata.name}`),
      (answer) => answer.status === 404,
    );
  });

  test('exec, attach and port-forward need a node, and the log before it is empty', async () => {
    const { metadata } = await create();
    for (const tail of ['exec', 'attach', 'portforward']) {
      const answer = await api.get(`${at()}/${metadata.name}/${tail}`);
      expect({ tail, refused: answer.status >= 400 }).toEqual({ tail, refused: true });
    }
    const log = await api.get(`${at()}/${metadata.name}/log`);
    expect(maskedAnswer(log, { [metadata.name]: '<name>' })).toEqual(golden('log without a node'));
    await api.del(`${at()}/${metadata.name}`);
  });
});
