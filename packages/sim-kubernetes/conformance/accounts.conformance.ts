import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api, server } = useServer();
const golden = useGolden('accounts');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});
const accounts = (): string => `/api/v1/namespaces/${namespace}/serviceaccounts`;
const claimsOf = (token: string): Loose => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a token of a ServiceAccount', () => {
  test('is a JWT that names the account and expires as asked', async () => {
    const name = uniqueName('robot');
    const { body: account } = await api.post(accounts(), { metadata: { name } });
    const { status, body } = await api.post(`${accounts()}/${name}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['one', 'two'], expirationSeconds: 1200 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace },
      spec: { audiences: ['one', 'two'], expirationSeconds: 1200, boundObjectRef: null },
    });
    expect(body.status.expirationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const claims = claimsOf(body.status.token);
    expect(claims).toMatchObject({
      aud: ['one', 'two'],
      iss: 'https://kubernetes.default.svc',
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
    expect(claims.exp - claims.iat).toBe(1200);
    expect(claims['kubernetes.io']).toMatchObject({ namespace, serviceaccount: { name, uid: account.metadata.uid } });
  });

  test('has an hour and the audience of the server when nothing is asked', async () => {
    const { body } = await api.post(`${accounts()}/default/token`, { spec: {} });
    expect(body.spec).toMatchObject({ audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600 });
  });

  test('can be bound to a pod', async () => {
    const { body: pod } = await api.post(`/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: uniqueName('pod') },
      spec: { containers: [{ name: 'a', image: 'x' }] },
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid };
    const { status, body } = await api.post(`${accounts()}/default/token`, { spec: { boundObjectRef } });
    expect(status).toBe(201);
    expect(claimsOf(body.status.token)['kubernetes.io'].pod).toEqual({
      name: pod.metadata.name,
      uid: pod.metadata.uid,
    });
    const wrong = await api.post(`${accounts()}/default/token`, {
      spec: { boundObjectRef: { ...boundObjectRef, uid: 'wrong' } },
    });
    expect(wrong.status).toBe(409);
    await api.del(`/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}`);
  });

  test('lets its bearer in as the account', async () => {
    const { body } = await api.post(`${accounts()}/default/token`, { spec: {} });
    const { status } = await api.get('/version', {}, { authorization: `Bearer ${body.status.token}` });
    expect(status).toBe(200);
    const wrong = await api.get('/api', {}, { authorization: `Bearer ${body.status.token}x` });
    expect(wrong.status).toBe(401);
    expect(server().name).toMatch(/sim|real/);
  });

  const broken: readonly (readonly [string, string, Loose])[] = [
    ['a time below ten minutes', 'default', { expirationSeconds: 5 }],
    ['a time above 2^32 seconds', 'default', { expirationSeconds: 4294967297 }],
    ['an account that is not there', 'nobody', {}],
    ['a pod that is not there', 'default', { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'nothing' } }],
    [
      'a kind that cannot be bound',
      'default',
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'nothing' } },
    ],
  ];
  test.each(broken)('for %s is refused', async (name, account, spec) => {
    const answer = await api.post(`${accounts()}/${account}/token`, { spec });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(`token for ${name}`));
  });

  test('is not read, only made', async () => {
    expect(maskedAnswer(await api.get(`${accounts()}/default/token`))).toEqual(golden('GET of a token'));
  });
});

describe('a pod and its ServiceAccount', () => {
  const pods = (): string => `/api/v1/namespaces/${namespace}/pods`;
  const dryRun = { dryRun: 'All' };
  const pod = (spec: Loose): Loose => ({
    metadata: { name: 'x' },
    spec: { containers: [{ name: 'a', image: 'x' }], ...spec },
  });

  test('takes the image pull secrets of the account', async () => {
    const name = uniqueName('puller');
    await api.post(accounts(), { metadata: { name }, imagePullSecrets: [{ name: 'registry' }] });
    const { body } = await api.post(pods(), pod({ serviceAccountName: name }), dryRun);
    expect(body.spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(body.spec.serviceAccount).toBe(name);
    const own = await api.post(pods(), pod({ serviceAccountName: name, imagePullSecrets: [{ name: 'mine' }] }), dryRun);
    expect(own.body.spec.imagePullSecrets).toEqual([{ name: 'mine' }]);
  });

  test('gets no token where the account says so, unless the pod asks', async () => {
    const name = uniqueName('quiet');
    await api.post(accounts(), { metadata: { name }, automountServiceAccountToken: false });
    const quiet = await api.post(pods(), pod({ serviceAccountName: name }), dryRun);
    expect(quiet.body.spec).not.toHaveProperty('volumes');
    const asking = await api.post(
      pods(),
      pod({ serviceAccountName: name, automountServiceAccountToken: true }),
      dryRun,
    );
    expect(asking.body.spec.volumes).toHaveLength(1);
  });

  test('does not mount over a mount of its own', async () => {
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    const spec = {
      volumes: [{ name: 'own', emptyDir: {} }],
      containers: [{ name: 'a', image: 'x', volumeMounts: [{ name: 'own', mountPath }] }],
    };
    const { body } = await api.post(pods(), pod(spec), dryRun);
    expect(body.spec.containers[0].volumeMounts).toEqual([{ name: 'own', mountPath }]);
    expect(body.spec.volumes.map(({ name }: Loose) => name)).toEqual(['own']);
  });
});

describe('classes of priority', () => {
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';

  test('system classes are there from the start', async () => {
    const { body } = await api.get(classes);
    const values = Object.fromEntries(body.items.map((item: Loose) => [item.metadata.name, item.value]));
    expect(values).toMatchObject({ 'system-cluster-critical': 2000000000, 'system-node-critical': 2000001000 });
  });

  test('give a pod its number and its policy of preemption', async () => {
    const name = uniqueName('class');
    await api.post(classes, { metadata: { name }, value: 777, preemptionPolicy: 'Never' });
    const pod = { metadata: { name: 'x' }, spec: { priorityClassName: name, containers: [{ name: 'a', image: 'x' }] } };
    // Admission of the real server reads classes from a cache that follows the write.
    const { body } = await eventually(
      () => api.post(`/api/v1/namespaces/${namespace}/pods`, pod, { dryRun: 'All' }),
      ({ status }) => status === 201,
    );
    expect(body.spec).toMatchObject({ priority: 777, preemptionPolicy: 'Never', priorityClassName: name });
    await api.del(`${classes}/${name}`);
  });

  const broken: readonly (readonly [string, Loose])[] = [
    ['a value above the highest', { metadata: { name: 'high' }, value: 1000000001 }],
    ['a name of the system', { metadata: { name: 'system-mine' }, value: 5 }],
    ['an unknown policy', { metadata: { name: 'policy' }, value: 5, preemptionPolicy: 'Maybe' }],
  ];
  test.each(broken)('with %s are refused', async (name, object) => {
    const answer = await api.post(classes, object, { dryRun: 'All' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer)).toEqual(golden(`class with ${name}`));
  });
});
