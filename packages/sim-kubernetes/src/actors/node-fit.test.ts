import { describe, expect, test } from 'vitest';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import { misfit, noDemand } from './node-fit.ts';

const node = (spec: JsonObject, labels: JsonObject = {}): StoredObject =>
  ({
    metadata: { name: 'node-a', labels },
    spec,
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as StoredObject;
const pod = (spec: JsonObject): StoredObject => ({ metadata: { name: 'p' }, spec }) as unknown as StoredObject;

describe('a taint', () => {
  const tainted = node({ taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
  const cases: readonly (readonly [string, JsonObject, boolean])[] = [
    ['of the same key, value and effect is tolerated', { key: 'gpu', value: 'yes', effect: 'NoSchedule' }, true],
    ['of any effect is tolerated without one', { key: 'gpu', operator: 'Exists' }, true],
    ['of any key is tolerated without one', { operator: 'Exists' }, true],
    ['of another value is not', { key: 'gpu', value: 'no', effect: 'NoSchedule' }, false],
    ['of another effect is not', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    ['of another key is not', { key: 'cpu', operator: 'Exists' }, false],
  ];
  for (const [name, toleration, fits] of cases) {
    test(name, () => expect(misfit(pod({ tolerations: [toleration] }), tainted, noDemand) === undefined).toBe(fits));
  }

  test('that only asks to stay away is no obstacle', () => {
    const preferred = node({ taints: [{ key: 'gpu', effect: 'PreferNoSchedule' }] });
    expect(misfit(pod({}), preferred, noDemand)).toBeUndefined();
  });
});

describe('the affinity of a pod for nodes', () => {
  const labelled = node({}, { zone: 'a', cores: '8' });
  const affine = (key: string, operator: string, values: readonly string[] = []): StoredObject =>
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
          },
        },
      },
    });
  const cases: readonly (readonly [string, string, readonly string[], boolean])[] = [
    ['zone', 'In', ['a', 'b'], true],
    ['zone', 'In', ['c'], false],
    ['zone', 'NotIn', ['a'], false],
    ['none', 'NotIn', ['a'], true],
    ['zone', 'Exists', [], true],
    ['none', 'Exists', [], false],
    ['none', 'DoesNotExist', [], true],
    ['cores', 'Gt', ['4'], true],
    ['cores', 'Lt', ['4'], false],
    ['zone', 'Near', ['a'], false],
  ];
  for (const [key, operator, values, fits] of cases) {
    test(`${key} ${operator} ${values.join(',')} is ${fits ? 'met' : 'not met'}`, () =>
      expect(misfit(affine(key, operator, values), labelled, noDemand) === undefined).toBe(fits));
  }
});
