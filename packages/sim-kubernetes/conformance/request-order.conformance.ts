import { beforeAll, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Call } from './kit/wire-client.ts';

// Requests with more than one fault, and forms that are easily missed: found by `npm run fuzz`. What is compared is which fault the
// server tells of.

const { api } = useServer();
const golden = useGolden('request-order');
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
  await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'there' } });
  await api.post(crd.at(namespace), crd.object('there'));
});

const maps = '/api/v1/namespaces/NS/configmaps';
const rivers = '/apis/GROUP/v1/namespaces/NS/rivers';
const merge = { 'content-type': 'application/merge-patch+json' };
const json = { 'content-type': 'application/json-patch+json' };
const as = (form: string): Record<string, string> => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
const named = (name: string): object => ({ metadata: { name } });

const rows: readonly (readonly [string, Call])[] = [
  ['an empty dryRun', { method: 'POST', path: maps, query: { dryRun: '' }, body: named('x') }],
  ['an empty propagationPolicy', { method: 'DELETE', path: `${maps}/none`, query: { propagationPolicy: '' } }],
  ['an empty number', { method: 'DELETE', path: `${maps}/none`, query: { gracePeriodSeconds: '' } }],
  ['a number beyond 64 bits', { method: 'GET', path: maps, query: { limit: '9223372036854775808' } }],
  [
    'a resourceVersion of one object that is no number',
    { method: 'GET', path: `${maps}/there`, query: { resourceVersion: 'x' } },
  ],
  ['a timeout without a unit', { method: 'GET', path: '/nothing', query: { timeout: '1' } }],
  ['null as body', { method: 'POST', path: maps, body: 'null' }],
  ['another name, of what is not there', { method: 'PUT', path: `${maps}/none`, body: named('other') }],
  [
    'a patch that is no JSON, of what is not there',
    { method: 'PATCH', path: `${maps}/none`, headers: merge, body: '{' },
  ],
  ['null as an operation', { method: 'PATCH', path: `${maps}/there`, headers: json, body: [null] }],
  ['null as operations', { method: 'PATCH', path: `${maps}/there`, headers: json, body: 'null' }],
  [
    'text in place of an object',
    { method: 'PATCH', path: `${maps}/there`, headers: json, body: [{ op: 'copy', path: '', from: '/metadata/name' }] },
  ],
  ['a patch without a version', { method: 'PATCH', path: `${maps}/there`, headers: merge, body: { apiVersion: '' } }],
  [
    'a patch of a custom resource without a version',
    { method: 'PATCH', path: `${rivers}/there`, headers: merge, body: { apiVersion: '' } },
  ],
  ['a kind of options that is empty', { method: 'DELETE', path: `${maps}/none`, body: { kind: '' } }],
  ['an option of another type', { method: 'DELETE', path: `${maps}/there`, body: { orphanDependents: 0 } }],
  ['a POST to a list of kinds', { method: 'POST', path: '/api/v1', body: {} }],
  ['a PATCH of a collection of custom resources', { method: 'PATCH', path: rivers, headers: merge, body: {} }],
  ['a part of a part of a custom resource', { method: 'GET', path: `${rivers}/there/nothing/more` }],
  ['a path with an empty part', { method: 'GET', path: '/api/v1//configmaps' }],
  ['metadata alone of a list', { method: 'GET', path: maps, headers: as('PartialObjectMetadata') }],
  [
    'a list of metadata of an object',
    { method: 'GET', path: `${maps}/there`, headers: as('PartialObjectMetadataList') },
  ],
  ['a method that is not there, in a form that is not there', { method: 'PUT', path: maps, headers: as('Nothing') }],
  [
    'a namespace with a finalizer of nobody',
    { method: 'POST', path: '/api/v1/namespaces', body: { ...named('x'), spec: { finalizers: ['x'] } } },
  ],
  [
    'a definition without a resourceVersion',
    {
      method: 'PUT',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rivers.GROUP',
      body: { metadata: { name: 'rivers.GROUP' } },
    },
  ],
];

const within = (text: string): string => text.replaceAll('GROUP', crd.group).replaceAll('NS', namespace);

test.each(rows)('%s', async (title, call) => {
  const whole = JSON.parse(within(JSON.stringify(call))) as Call;
  const { status, body } = await api.send(whole);
  expect({ status, reason: body?.reason }).toEqual(golden(title));
});

test('a HEAD of a custom resource is answered as a GET without a body, one of a built-in kind is refused', async () => {
  const statuses = await Promise.all(
    [`${rivers}/there`, `${rivers}/none`, `${maps}/there`].map(
      async (path) => (await api.send({ method: 'HEAD', path: within(path) })).status,
    ),
  );
  expect(statuses).toEqual([200, 404, 405]);
});
