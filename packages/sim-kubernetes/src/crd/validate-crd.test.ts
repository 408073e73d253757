import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import type { HookContext, Strategy } from '../registry/resource-type.ts';
import { createCrdKind } from './crd-kind.ts';
import { validateCrdUpdate } from './validate-crd.ts';

type Case = {
  readonly name: string;
  readonly body: JsonObject;
  readonly code: number;
  readonly spec?: JsonObject;
  readonly causes?: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
};

const { cases } = JSON.parse(readFileSync(new URL('golden/crd-cases.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

const nothingStored = { get: () => undefined, list: () => [] } as unknown as HookContext;

function prepared({ strategy }: { readonly strategy: Strategy }, body: JsonObject): Draft {
  const draft = cloneJson(body) as Draft;
  strategy.applyDefaults?.(draft);
  strategy.prepareForCreate?.(draft, nothingStored);
  return draft;
}

// cel-go names every fault of an expression and the types of all of its parts; ours names the first in its own words.
// The value in the message about the root is a whole Go struct there and the schema here.
const otherWords: ReadonlySet<string> = new Set(['r_bind', 'r_idx', 'statusRoot']);

describe('the answers of kube-apiserver to CustomResourceDefinitions', () => {
  const kind = createCrdKind();
  for (const { name, body, spec, causes = [] } of cases) {
    test(name, () => {
      const draft = prepared(kind, body);
      const found = kind.strategy.validate?.(draft as JsonObject, nothingStored) ?? [];
      const shown = (list: Case['causes'] = []): readonly string[] =>
        list
          .map(({ field, reason, message }) =>
            otherWords.has(name) ? `${field} ${reason}` : `${field} ${reason} ${message}`,
          )
          .toSorted();
      expect(shown(found)).toEqual(shown(causes));
      expect(spec === undefined ? undefined : draft['spec']).toEqual(spec);
    });
  }
});

const base: JsonObject = cases.find(({ name }) => name === 'ok')!.body;
const withSpec = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  ...base,
  spec: { ...(base['spec'] as JsonObject), ...spec },
  status: { storedVersions: ['v1'], ...status },
});

describe('updates', () => {
  const isEstablished = { conditions: [{ type: 'Established', status: 'True' }] };
  const complete = { names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' } };
  const update = (next: JsonObject, status: JsonObject): readonly string[] =>
    validateCrdUpdate(withSpec({ ...complete, ...next }, status), withSpec(complete, status)).map(
      ({ field, message }) => `${field}: ${message}`,
    );

  test('scope and kind are fixed once the CRD is established', () => {
    expect(update({ scope: 'Cluster' }, {})).toEqual([]);
    expect(update({ scope: 'Cluster' }, isEstablished)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  test('group and plural are fixed from the start', () => {
    expect(update({ group: 'b.test' }, {})).toEqual(['spec.group: Invalid value: "b.test": field is immutable']);
  });

  test('a version in which objects were stored may not leave', () => {
    const [version] = (base['spec'] as { readonly versions: readonly JsonObject[] }).versions;
    expect(update({ versions: [{ ...version, name: 'v2' }] }, { storedVersions: ['v1', 'v2'] })).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });
});
