import { crdKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { fakeRefs } from '../testing/fake-refs.ts';
import { isGranted } from './reference-grants.ts';

const crd = {
  apiVersion: `${crdKind.group}/${crdKind.version}`,
  kind: crdKind.kind,
  metadata: { name: 'referencegrants.gateway.networking.k8s.io' },
  spec: { versions: [{ name: 'v1beta1', served: true }] },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
} as unknown as KubeObject;

const from = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop' };
const to = { group: '', kind: 'Service' };

function grant(spec: object, namespace = 'stock'): KubeObject {
  const apiVersion = 'gateway.networking.k8s.io/v1beta1';
  return { apiVersion, kind: 'ReferenceGrant', metadata: { name: 'g', namespace }, spec } as KubeObject;
}

test.each([
  ['nobody needs leave at home', [], 'stock', true],
  ['no grant', [], 'shop', false],
  ['a grant for all Services', [grant({ from: [from], to: [to] })], 'shop', true],
  ['a grant for this one', [grant({ from: [from], to: [{ ...to, name: 'api' }] })], 'shop', true],
  ['a grant for another one', [grant({ from: [from], to: [{ ...to, name: 'db' }] })], 'shop', false],
  ['a grant for another kind', [grant({ from: [from], to: [{ ...to, kind: 'Secret' }] })], 'shop', false],
  ['a grant to another kind', [grant({ from: [{ ...from, kind: 'TCPRoute' }], to: [to] })], 'shop', false],
  ['a grant to another namespace', [grant({ from: [{ ...from, namespace: 'lab' }], to: [to] })], 'shop', false],
  ['a grant of another namespace', [grant({ from: [from], to: [to] }, 'lab')], 'shop', false],
  ['a grant to another group', [grant({ from: [{ ...from, group: 'example.com' }], to: [to] })], 'shop', false],
])('%s', (_name, grants, namespace, granted) => {
  const reference = { from: { kind: 'HTTPRoute', namespace }, to: { ...to, namespace: 'stock', name: 'api' } };
  expect(isGranted(reference, fakeRefs([crd, ...grants]))).toBe(granted);
});

test('where ReferenceGrants are not installed nobody has given one', () => {
  const reference = { from: { kind: 'HTTPRoute', namespace: 'shop' }, to: { ...to, namespace: 'stock', name: 'api' } };
  expect(isGranted(reference, fakeRefs([grant({ from: [from], to: [to] })]))).toBe(false);
});
