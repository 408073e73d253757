// Custom kinds for the fuzzer: one with every type of list and map, one with versions, defaults, rules and formats.
import fc from 'fast-check';
import { ownedCrd, ownedKinds } from '../../packages/sim-kubernetes/src/managed-fields/testing/owned-kinds.ts';
import type { FuzzTarget, Json, JsonObject } from './fuzz-target.ts';
import { mostly } from './mostly.ts';

const text = { type: 'string' };

const seaSpec = {
  type: 'object',
  required: ['depth'],
  'x-kubernetes-validations': [{ rule: '!has(self.max) || self.depth <= self.max', message: 'too deep' }],
  properties: {
    depth: { type: 'integer', minimum: 0, maximum: 11_000 },
    max: { type: 'integer', format: 'int32' },
    text: { ...text, maxLength: 5, pattern: '^[a-z]*$', default: 'salt' },
    kind: { ...text, enum: ['open', 'inland'], 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    when: { ...text, format: 'date-time', nullable: true },
    ratio: { type: 'number', multipleOf: 0.5 },
    items: { type: 'array', maxItems: 2, items: { type: 'object', properties: { name: text } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec: seaSpec } } };

const selectableFields = [{ jsonPath: '.spec.text' }];

const seaCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'seas.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Cluster',
    names: { plural: 'seas', singular: 'sea', kind: 'Sea', listKind: 'SeaList', shortNames: ['s'] },
    versions: [
      { name: 'v1', served: true, storage: true, schema, selectableFields },
      { name: 'v1beta1', served: true, storage: false, deprecated: true, schema, selectableFields },
      { name: 'v0', served: false, storage: false, schema, selectableFields },
    ],
  },
};

export const customCrds: readonly object[] = [ownedCrd, seaCrd];

const seas = fc
  .record({
    depth: mostly<Json>([0, 1, 2, 5, 11_000], [11_001, -1, '5']),
    max: mostly<Json>([3, 20_000], [3e9, 4]),
    more: fc.record<JsonObject>(
      {
        text: mostly(['a', 'b', 'c', ''], ['abcdef', 'A']),
        kind: mostly(['open', 'open', 'inland'], ['closed']),
        when: mostly<Json>(['2020-01-01T00:00:00Z', null], ['yesterday']),
        ratio: mostly([0.5, 1, 2], [0.3]),
        items: mostly<Json>([[], [{ name: 'a' }]], [[{}, {}, {}]]),
        free: fc.constantFrom<Json[]>({ any: { thing: [1] } }, {}),
        embedded: mostly<Json>([{ apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } }], [{}]),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ depth, max, more }): Json => ({ depth, ...(max === 3 ? {} : { max }), ...more }));

function seasOf(version: string): FuzzTarget {
  return {
    name: `seas.${version}`,
    root: `/apis/fuzz.example.com/${version}`,
    plural: 'seas',
    namespaced: false,
    names: ['a', 'b'],
    subresources: [],
    objects: seas.map((spec): JsonObject => ({ apiVersion: `fuzz.example.com/${version}`, kind: 'Sea', spec })),
  };
}

const [lake] = ownedKinds;

const lakes: FuzzTarget = {
  name: 'lakes',
  root: '/apis/owned.example.com/v1',
  plural: 'lakes',
  namespaced: true,
  names: ['a', 'b'],
  subresources: ['status', 'scale'],
  objects: ((lake?.piece ?? fc.constant({})) as fc.Arbitrary<JsonObject>).map((piece): JsonObject => ({
    apiVersion: 'owned.example.com/v1',
    kind: 'Lake',
    ...piece,
  })),
};

/** Definitions of kinds that come and go; the kinds of others are left alone. */
const definitions: FuzzTarget = {
  name: 'customresourcedefinitions',
  root: '/apis/apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  names: ['brooks.fuzz-a.example.com', 'ponds.fuzz-a.example.com'],
  subresources: ['status'],
  holdsOthers: true,
  objects: fc
    .record({
      plural: mostly(['brooks', 'ponds'], ['others']),
      kind: fc.constantFrom('Brook', 'Pond'),
      scope: mostly(['Namespaced', 'Cluster'], ['Junk']),
      spec: mostly<Json>(
        [
          { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          { type: 'object', properties: { a: text, list: { type: 'array', items: text } } },
        ],
        [
          { type: 'array' },
          { type: 'object', properties: { a: { ...text, default: 1 } } },
          { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nothing > 1' }] },
        ],
      ),
    })
    .map(({ plural, kind, scope, spec }): JsonObject => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'fuzz-a.example.com',
        scope,
        names: { plural, kind },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    })),
};

export const customTargets: readonly FuzzTarget[] = [lakes, seasOf('v1'), seasOf('v1beta1'), definitions];
