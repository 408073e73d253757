import { describe, expect, test } from 'vitest';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { HookContext } from '../registry/resource-type.ts';
import { createCrdKind } from './crd-kind.ts';
import { toResourceTypes } from './to-resource-types.ts';

const metadata = { name: 'x', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } } },
};

function definition(version: JsonObject, generation = 1, more: JsonObject = {}): StoredObject {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadata, name: 'things.a.test', generation },
    spec: { group: 'a.test', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions, ...more },
  };
}

const object = (spec: JsonObject): StoredObject => ({ apiVersion: 'a.test/v1', kind: 'Thing', metadata, spec });
const context = {} as HookContext;

describe('what is stored', () => {
  test('is shown as it is as long as the CRD never changed', () => {
    expect(toResourceTypes(definition({}))[0]?.onRead).toBeUndefined();
  });

  test('is read by the schema of now once it did', () => {
    const [type] = toResourceTypes(definition({}, 2));
    expect(type?.onRead?.(object({ gone: true }))['spec']).toEqual({ size: 1 });
    const fine = object({ size: 2 });
    expect(type?.onRead?.(fine)).toBe(fine);
  });

  test('is shown in another version without what that version does not know', () => {
    const other = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
    const types = toResourceTypes(definition({}, 1, { versions: [other] }));
    expect(types[0]?.onRead?.(object({ size: 2 }))['spec']).toBeUndefined();
  });
});

describe('the strategy', () => {
  test('reads metadata as the struct that it is', () => {
    const [type] = toResourceTypes(definition({}));
    const draft: Draft = { metadata: { name: 'x', labels: {}, finalizers: [] } };
    type?.strategy.applyDefaults?.(draft);
    expect(draft).toEqual({ metadata: { name: 'x' } });
    expect(() => type?.strategy.applyDefaults?.({ metadata: { labels: { a: 1 } } })).toThrow(
      'Thing in version "v1" cannot be handled as a Thing: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
  });

  test('keeps the numbers of scale within their limits', () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const [type] = toResourceTypes(definition({ subresources: { scale } }));
    const errors = (size: number): readonly string[] =>
      (type?.strategy.validate?.(object({ size }), context) ?? []).map(({ field, message }) => `${field}: ${message}`);
    expect(errors(0)).toEqual([]);
    expect(errors(-1)).toEqual(['.spec.size: Invalid value: -1: should be a non-negative integer']);
    expect(errors(2 ** 31)).toEqual([
      '.spec.size: Invalid value: 2147483648: should be less than or equal to 2147483647',
    ]);
  });

  test('warns of finalizers without a domain, once', () => {
    const [type] = toResourceTypes(definition({}));
    const held = (...finalizers: string[]): JsonObject => ({ metadata: { finalizers } });
    expect(type?.strategy.warnings?.(held('plain', 'a.test', 'a.test/x', 'orphan'), undefined)).toEqual([
      'metadata.finalizers: "a.test": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
    expect(type?.strategy.warnings?.(held('plain'), held('plain') as StoredObject)).toEqual([]);
  });

  test('offers the selectable fields as labels', () => {
    const [type] = toResourceTypes(
      definition({ selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.spec.color' }] }),
    );
    expect(type?.strategy.fieldLabels?.(object({ size: 3 }))).toEqual({ 'spec.size': '3', 'spec.color': '' });
  });
});

describe('a deprecated version', () => {
  test('warns in its own words, or names a better one', () => {
    expect(toResourceTypes(definition({ deprecated: true, deprecationWarning: 'old' }))[0]?.deprecationWarning).toBe(
      'old',
    );
    const versions = [
      { name: 'v1beta1', served: true, storage: true, deprecated: true },
      { name: 'v1', served: true, storage: false },
    ];
    expect(toResourceTypes(definition({}, 1, { versions }))[0]?.deprecationWarning).toBe(
      'a.test/v1beta1 Thing is deprecated; use a.test/v1 Thing',
    );
  });
});

test('a CRD with a format that nobody enforces is taken with a warning', () => {
  const { strategy } = createCrdKind();
  const odd = (format: string): StoredObject =>
    definition({ schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', format } } } } });
  expect(strategy.warnings?.(odd('my-format'), undefined)).toEqual(['unrecognized format "my-format"']);
  expect(strategy.warnings?.(odd('date-time'), undefined)).toEqual([]);
  expect(strategy.warnings?.(odd('my-format'), odd('my-format'))).toEqual([]);
});
