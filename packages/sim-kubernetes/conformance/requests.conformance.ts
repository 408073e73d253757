import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Call } from './kit/wire-client.ts';

// Requests that are wrong before any object is touched, and what the server says to them.

const { api } = useServer();
const golden = useGolden('requests');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
  await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'there' } });
  await api.post(crd.at(namespace), crd.object('there'));
});

const core = '/api/v1/namespaces/NS';
const rivers = '/apis/GROUP/v1/namespaces/NS/rivers';
const json = { 'content-type': 'application/json' };
const rows: readonly (readonly [string, Call])[] = [
  ['get of what is not there', { method: 'GET', path: `${core}/configmaps/none` }],
  ['get of a custom resource that is not there', { method: 'GET', path: `${rivers}/none` }],
  ['get of a namespace that is not there', { method: 'GET', path: '/api/v1/namespaces/none-such' }],
  ['delete of what is not there', { method: 'DELETE', path: `${core}/configmaps/none` }],
  ['an unknown resource', { method: 'GET', path: `${core}/lakes` }],
  ['an unknown resource of a known group', { method: 'GET', path: '/apis/apps/v1/lakes' }],
  ['an unknown version', { method: 'GET', path: '/api/v2/pods' }],
  ['an unknown group', { method: 'GET', path: '/apis/nothing.example.com/v1/lakes' }],
  ['an unknown version of a custom group', { method: 'GET', path: '/apis/GROUP/v9/rivers' }],
  ['an unknown resource of a custom group', { method: 'GET', path: '/apis/GROUP/v1/lakes' }],
  ['an unknown path', { method: 'GET', path: '/nothing' }],
  ['an unknown subresource', { method: 'GET', path: `${core}/configmaps/there/status` }],
  ['an unknown subresource of a custom resource', { method: 'GET', path: `${rivers}/there/status` }],
  ['scale of a custom resource without it', { method: 'GET', path: `${rivers}/there/scale` }],
  ['POST to an object', { method: 'POST', path: `${core}/configmaps/there`, body: {} }],
  ['PUT to a collection', { method: 'PUT', path: `${core}/configmaps`, body: {} }],
  [
    'PATCH of a collection',
    {
      method: 'PATCH',
      path: `${core}/configmaps`,
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  ],
  ['PUT to a collection of custom resources', { method: 'PUT', path: rivers, body: {} }],
  ['POST to a custom resource', { method: 'POST', path: `${rivers}/there`, body: {} }],
  ['an unknown method', { method: 'PROPFIND', path: `${core}/configmaps` }],
  ['a cluster-scoped kind asked in a namespace', { method: 'GET', path: `${core}/nodes` }],
  ['an empty body', { method: 'POST', path: `${core}/configmaps`, body: '', headers: json }],
  ['an empty body of a custom resource', { method: 'POST', path: rivers, body: '', headers: json }],
  ['a body that is no JSON', { method: 'POST', path: `${core}/configmaps`, body: '{"a"', headers: json }],
  ['a body that is no JSON for a custom resource', { method: 'POST', path: rivers, body: '{"a"', headers: json }],
  ['a list as body', { method: 'POST', path: `${core}/configmaps`, body: '[]', headers: json }],
  ['text as body', { method: 'POST', path: `${core}/configmaps`, body: '"text"', headers: json }],
  ['an empty object as a custom resource', { method: 'POST', path: rivers, body: {} }],
  ['a custom resource without kind', { method: 'POST', path: rivers, body: { metadata: { name: 'x' } } }],
  [
    'another kind',
    { method: 'POST', path: `${core}/configmaps`, body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } } },
  ],
  [
    'another apiVersion',
    {
      method: 'POST',
      path: `${core}/configmaps`,
      body: { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'x' } },
    },
  ],
  [
    'an unknown kind',
    { method: 'POST', path: `${core}/configmaps`, body: { apiVersion: 'v1', kind: 'Lake', metadata: { name: 'x' } } },
  ],
  [
    'another kind as custom resource',
    { method: 'POST', path: rivers, body: { apiVersion: 'GROUP/v1', kind: 'Lake', metadata: { name: 'x' } } },
  ],
  [
    'another group as custom resource',
    {
      method: 'POST',
      path: rivers,
      body: { apiVersion: 'other.example.com/v1', kind: 'River', metadata: { name: 'x' } },
    },
  ],
  ['a number as name', { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 7 } } }],
  ['text as labels', { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'x', labels: 'a' } } }],
  [
    'a number as data',
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'x' }, data: { a: 1 } } },
  ],
  [
    'a boolean as label of a custom resource',
    {
      method: 'POST',
      path: rivers,
      body: { apiVersion: 'GROUP/v1', kind: 'River', metadata: { name: 'x', labels: { a: true } } },
    },
  ],
  [
    'text as metadata of a custom resource',
    { method: 'POST', path: rivers, body: { apiVersion: 'GROUP/v1', kind: 'River', metadata: 'x' } },
  ],
  [
    'a bad date in metadata',
    { method: 'POST', path: `${core}/configmaps`, body: { metadata: { name: 'x', creationTimestamp: 'yesterday' } } },
  ],
  [
    'an unknown content type',
    { method: 'POST', path: `${core}/configmaps`, body: '{}', headers: { 'content-type': 'text/plain' } },
  ],
  [
    'an unknown content type for a custom resource',
    { method: 'POST', path: rivers, body: '{}', headers: { 'content-type': 'application/xml' } },
  ],
  [
    'an Accept that cannot be met',
    { method: 'GET', path: `${core}/configmaps/there`, headers: { accept: 'text/html' } },
  ],
  [
    'an unknown dryRun',
    { method: 'POST', path: `${core}/configmaps`, query: { dryRun: 'Some' }, body: { metadata: { name: 'x' } } },
  ],
  [
    'an unknown dryRun of an update',
    {
      method: 'PUT',
      path: `${core}/configmaps/there`,
      query: { dryRun: 'Some' },
      body: { metadata: { name: 'there' } },
    },
  ],
  [
    'an unknown dryRun of a patch',
    {
      method: 'PATCH',
      path: `${rivers}/there`,
      query: { dryRun: 'Some' },
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  ],
  [
    'force without apply',
    {
      method: 'PATCH',
      path: `${core}/configmaps/there`,
      query: { force: true },
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  ],
  [
    'a fieldManager of 129 characters',
    {
      method: 'POST',
      path: `${core}/configmaps`,
      query: { fieldManager: 'x'.repeat(129) },
      body: { metadata: { name: 'x' } },
    },
  ],
  [
    'a fieldManager that cannot be printed',
    {
      method: 'POST',
      path: `${core}/configmaps`,
      query: { fieldManager: 'a\u0007b' },
      body: { metadata: { name: 'x' } },
    },
  ],
  ['a wrong token', { method: 'GET', path: `${core}/configmaps`, headers: { authorization: 'Bearer wrong' } }],
  [
    'an object above the limit of the store',
    {
      method: 'POST',
      path: `${core}/configmaps`,
      body: { metadata: { name: 'big' }, data: { a: 'x'.repeat(1_100_000) } },
    },
  ],
  [
    'a custom resource above the limit of the store',
    {
      method: 'POST',
      path: rivers,
      body: { apiVersion: 'GROUP/v1', kind: 'River', metadata: { name: 'big' }, spec: { a: 'x'.repeat(1_700_000) } },
    },
  ],
  [
    'a body above the limit of the server',
    {
      method: 'POST',
      path: `${core}/configmaps`,
      body: { metadata: { name: 'big' }, data: { a: 'x'.repeat(3_500_000) } },
    },
  ],
];

describe('the server answers', () => {
  test.each(rows)('%s', async (name, call) => {
    const fill = (text: string): string => text.replaceAll('/NS', `/${namespace}`).replaceAll('GROUP', crd.group);
    const body =
      call.body === undefined || typeof call.body === 'string'
        ? call.body
        : JSON.parse(fill(JSON.stringify(call.body)));
    const answer = await api.send({ ...call, path: fill(call.path), ...(body !== undefined && { body }) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer, { [namespace]: '<namespace>', [crd.group]: '<group>' })).toEqual(golden(name));
  });
});

test('a custom resource cannot be read as protobuf', async () => {
  const { status } = await api.get(`${crd.at(namespace)}/there`, {}, { accept: 'application/vnd.kubernetes.protobuf' });
  expect(status).toBe(406);
});

test('HEAD is not answered', async () => {
  const answer = await api.send({ method: 'HEAD', path: `/api/v1/namespaces/${namespace}/configmaps/there` });
  expect(answer.text).toBe('');
  expect(answer.status).toBe(405);
});

test('without a token nothing but the public paths is answered', async () => {
  const anonymous = async (path: string): Promise<number> => (await api.get(path, {}, { authorization: '' })).status;
  expect(await anonymous('/api/v1/namespaces')).toBe(403);
  expect(await anonymous('/version')).toBe(200);
  expect(await anonymous('/livez')).toBe(200);
});
