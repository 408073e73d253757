import { readFileSync } from 'node:fs';
import { gzipSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';

const { api } = useServer();
const golden = useGolden('bodies');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
});

describe('YAML', () => {
  const yaml = { 'content-type': 'application/yaml' };
  test('is read as a body', async () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\n  labels: {a: "1"}\ndata:\n  text: |\n    two\n    lines\n`;
    const { status, body } = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      headers: yaml,
      body: text,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ metadata: { name: 'yaml', labels: { a: '1' } }, data: { text: 'two\nlines\n' } });
  });

  test('is read as the body of a custom resource, with the scalars of YAML 1.1', async () => {
    const text = `apiVersion: ${crd.apiVersion}\nkind: River\nmetadata: {name: yaml}\nspec: {yes: yes, octal: 0644, hex: 0x1f, under: 1_000, float: 1.5, time: 12:30:45, date: 2026-11-15, null1: ~, quoted: "yes"}\n`;
    const { status, body } = await api.send({ method: 'POST', path: crd.at(namespace), headers: yaml, body: text });
    expect(status).toBe(201);
    expect(body.spec).toEqual(golden('scalars'));
  });

  test('that is broken is refused', async () => {
    const { status } = await api.send({ method: 'POST', path: crd.at(namespace), headers: yaml, body: 'a: [b' });
    expect(status).toBe(400);
  });

  test('with unknown and repeated fields is refused when strict', async () => {
    const text = `metadata: {name: strict}\ndata: {a: b, a: c}\nunknown: 1\n`;
    const answer = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      query: { fieldValidation: 'Strict' },
      headers: yaml,
      body: `apiVersion: v1\nkind: ConfigMap\n${text}`,
    });
    expect(maskedAnswer(answer)).toEqual(golden('strict'));
  });

  test('is written on request', async () => {
    const { status, headers, text } = await api.get(
      `/api/v1/namespaces/${namespace}/configmaps/yaml`,
      {},
      { accept: 'application/yaml' },
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toMatch(/^apiVersion: v1\n/);
    expect(text).toContain('\nkind: ConfigMap\n');
    expect(text).toContain('\n  name: yaml\n');
  });
});

describe('JSON', () => {
  test.each(['*/*', '', 'text/html,application/json;q=0.9', 'application/json;charset=utf-8'])(
    'is what Accept %j gets',
    async (accept) => {
      const { status, headers } = await api.get('/api/v1/namespaces/default', {}, { accept });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('application/json');
    },
  );

  test('is not what a range of types gets', async () => {
    expect((await api.get('/api/v1/namespaces/default', {}, { accept: 'application/*' })).status).toBe(406);
  });

  test('is assumed of a body without content type', async () => {
    const { status } = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      headers: { 'content-type': '' },
      body: { metadata: { name: 'untyped' } },
    });
    expect(status).toBe(201);
  });

  test('is indented when pretty is asked for', async () => {
    expect((await api.get('/api/v1/namespaces/default', { pretty: 'true' })).text).toMatch(
      /^\{\n  "kind": "Namespace",\n/,
    );
    expect((await api.get('/api/v1/namespaces/default')).text).toMatch(/^\{"kind":"Namespace",/);
  });

  test('keeps the numbers of custom resources', async () => {
    const spec = { big: 9007199254740991, small: -9007199254740991, fraction: 0.1, exponent: 1e21, zero: 0 };
    const { status, body } = await api.post(crd.at(namespace), crd.object('numbers', { spec }));
    expect(status).toBe(201);
    expect(body.spec).toEqual(spec);
  });
});

describe('compression', () => {
  test('of an answer above 128 KB is done for those who accept it', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'large' }, data: { a: 'x'.repeat(200_000) } });
    const { headers, bytes } = await api.get(`${path}/large`, {}, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers['vary']).toContain('Accept-Encoding');
    expect(JSON.parse(gunzipSync(bytes).toString()).data.a).toHaveLength(200_000);
    const small = await api.get('/api/v1/namespaces/default', {}, { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('of a request is not understood', async () => {
    const { status } = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('{"metadata":{"name":"zipped"}}'),
    });
    expect(status).toBe(400);
  });
});

describe('protobuf as kubectl create sends it', () => {
  const recorded = JSON.parse(
    readFileSync(new URL('fixtures/kubectl-protobuf.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, { readonly path: string; readonly body: string }>>;
  const type = { 'content-type': 'application/vnd.kubernetes.protobuf' };

  // The recorded bodies name this namespace; nothing is kept in it but the ServiceAccount of the token.
  beforeAll(async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'recorded' } });
    await eventually(
      () => api.get('/api/v1/namespaces/recorded/serviceaccounts/default'),
      ({ status }) => status === 200,
    );
    await api.post('/api/v1/namespaces/recorded/serviceaccounts', { metadata: { name: 'robot' } });
  });

  test.each(Object.keys(recorded).filter((name) => !['token', 'namespace', 'serviceaccount'].includes(name)))(
    'a %s',
    async (name) => {
      const { path, body } = recorded[name] ?? { path: '', body: '' };
      const answer = await api.send({
        method: 'POST',
        path,
        query: { dryRun: 'All', fieldManager: 'kubectl-create', fieldValidation: 'Strict' },
        headers: type,
        body: Buffer.from(body, 'base64'),
      });
      expect(answer.status).toBe(201);
      expect(masked(answer.body)).toEqual(golden(`protobuf ${name}`));
    },
  );

  test.each(['namespace', 'serviceaccount'])('a %s that is there already', async (name) => {
    const { path, body } = recorded[name] ?? { path: '', body: '' };
    const answer = await api.send({ method: 'POST', path, headers: type, body: Buffer.from(body, 'base64') });
    expect(answer.status).toBe(409);
    expect(masked(answer.body)).toEqual(golden(`protobuf ${name}`));
  });

  test('a token of a ServiceAccount', async () => {
    const { path, body } = recorded['token'] ?? { path: '', body: '' };
    const answer = await api.send({ method: 'POST', path, headers: type, body: Buffer.from(body, 'base64') });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ kind: 'TokenRequest', spec: { audiences: ['one'], expirationSeconds: 3600 } });
  });

  test('that is broken is refused', async () => {
    const broken = Buffer.from('k8s\0broken bytes');
    const { status } = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      headers: type,
      body: broken,
    });
    expect(status).toBe(400);
    const unmarked = await api.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      headers: type,
      body: Buffer.from('nothing'),
    });
    expect(unmarked.status).toBe(400);
  });
});

describe('dryRun', () => {
  test('answers as if, and stores nothing', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const { body: before } = await api.post(path, { metadata: { name: 'dry' }, data: { a: '1' } });
    const query = { dryRun: 'All' };
    const created = await api.post(path, { metadata: { name: 'dry-new' } }, query);
    expect(created.status).toBe(201);
    expect(created.body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.body.metadata).not.toHaveProperty('resourceVersion');
    expect((await api.get(`${path}/dry-new`)).status).toBe(404);
    const updated = await api.put(`${path}/dry`, { ...before, data: { a: '2' } }, query);
    expect(updated.body.data).toEqual({ a: '2' });
    expect(updated.body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await api.patch(`${path}/dry`, 'merge', { data: { a: '3' } }, query)).body.data).toEqual({ a: '3' });
    const deleted = await api.del(`${path}/dry`, undefined, query);
    expect(deleted.body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await api.get(`${path}/dry`)).body).toEqual(before);
  });

  test('still says what is wrong', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'dry-there' } });
    expect((await api.post(path, { metadata: { name: 'dry-there' } }, { dryRun: 'All' })).status).toBe(409);
    expect((await api.post(path, { metadata: { name: 'Wrong' } }, { dryRun: 'All' })).status).toBe(422);
    expect(
      (await api.put(`${path}/dry-there`, { metadata: { name: 'dry-there', resourceVersion: '1' } }, { dryRun: 'All' }))
        .status,
    ).toBe(409);
  });

  test('gives a generated name', async () => {
    const { body } = await api.post(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { metadata: { generateName: 'dry-' } },
      { dryRun: 'All' },
    );
    expect(body.metadata.name).toMatch(/^dry-[a-z0-9]{5}$/);
  });
});
