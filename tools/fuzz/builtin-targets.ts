// Built-in kinds for the fuzzer: those whose answers must be equal, and all others that have an example.
import fc from 'fast-check';
import { coreGoldenInputs } from '../generate/builtin-golden-core.ts';
import { groupGoldenInputs } from '../generate/builtin-golden-groups.ts';
import { workloadGoldenInputs } from '../generate/builtin-golden-workloads.ts';
import type { GoldenInput } from '../generate/builtin-golden.ts';
import type { FuzzTarget, Json, JsonObject } from './fuzz-target.ts';
import { mostly } from './mostly.ts';

const names = ['a', 'b'];
const core = { root: '/api/v1', subresources: [] };

const configMaps: FuzzTarget = {
  ...core,
  name: 'configmaps',
  plural: 'configmaps',
  namespaced: true,
  names,
  objects: fc
    .record<JsonObject>(
      {
        data: fc.constantFrom<Json[]>(
          { k: 'v' },
          { k: 'w' },
          { l: 'v' },
          {},
          { 'bad key': 'x' },
          { k: 1 },
          { k: null },
          { '..': 'x' },
        ),
        binaryData: mostly<Json>([{ b: 'eA==' }, { c: '' }], [{ k: 'eA==' }, { b: '*' }]),
        immutable: mostly([false], [true]),
      },
      { requiredKeys: [] },
    )
    .map((part): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', ...part })),
};

const secrets: FuzzTarget = {
  ...core,
  name: 'secrets',
  plural: 'secrets',
  namespaced: true,
  names,
  objects: fc
    .record<JsonObject>(
      {
        data: fc.constantFrom<Json[]>(
          { k: 'eA==' },
          { k: 'eQ==' },
          {},
          { k: 'no base64' },
          { 'bad key': 'eA==' },
          { k: null },
        ),
        stringData: mostly<Json>([{ s: 'x' }, { k: 'y' }], [{ s: 1 }]),
        type: mostly(
          ['Opaque', 'Opaque', 'x/y', ''],
          [
            'kubernetes.io/tls',
            'kubernetes.io/dockerconfigjson',
            'kubernetes.io/basic-auth',
            'kubernetes.io/ssh-auth',
            'kubernetes.io/service-account-token',
          ],
        ),
        immutable: mostly([false], [true]),
      },
      { requiredKeys: [] },
    )
    .map((part): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', ...part })),
};

const namespaces: FuzzTarget = {
  ...core,
  name: 'namespaces',
  plural: 'namespaces',
  namespaced: false,
  names: ['fuzz-b', 'fuzz-c', 'fuzz-d'],
  subresources: ['finalize', 'finalize', 'status'],
  objects: mostly<Json>([{}, { finalizers: [] }, { finalizers: ['kubernetes'] }], [{ finalizers: ['x'] }]).map(
    (spec): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', spec }),
  ),
};

export const equalTargets: readonly FuzzTarget[] = [configMaps, secrets, namespaces];

// A webhook that nobody serves would answer for every other kind.
const excluded = new Set([
  'configmaps',
  'secrets',
  'namespaces',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
]);

/** One target for each kind among the examples. */
export function otherTargets(): readonly FuzzTarget[] {
  const inputs = [...coreGoldenInputs, ...workloadGoldenInputs, ...groupGoldenInputs];
  const kinds = Map.groupBy(inputs, ({ path, plural }) => `${path}/${plural}`);
  return [...kinds.values()].flatMap((examples) => {
    const [first] = examples;
    return first === undefined || excluded.has(first.plural) ? [] : [toTarget(first, examples)];
  });
}

function toTarget(first: GoldenInput, examples: readonly GoldenInput[]): FuzzTarget {
  const apiVersion = first.path.slice(first.path.indexOf('/') + 1);
  const objects = examples.map(({ object, status }) => ({ apiVersion, ...object, ...(status && { status }) }));
  return {
    name: first.plural,
    root: `/${first.path}`,
    plural: first.plural,
    namespaced: first.clusterWide !== true,
    names,
    subresources: [],
    objects: fc.constantFrom(...(objects as unknown as JsonObject[])),
  };
}
