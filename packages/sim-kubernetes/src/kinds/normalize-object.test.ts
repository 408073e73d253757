import { describe, expect, test } from 'vitest';
import { ApiError } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import { normalizeObject } from './normalize-object.ts';

const normalized = (type: string, draft: Draft): Draft => {
  normalizeObject(draft, `io.k8s.api.${type}`);
  return draft;
};
const refusal = (type: string, draft: Draft): string => {
  try {
    normalized(type, { apiVersion: 'v1', ...draft });
    return 'taken';
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.message}` : String(error);
  }
};

describe('an object as Go writes it', () => {
  const cases: readonly (readonly [string, string, Draft, Draft])[] = [
    [
      'what is empty and may be left out is left out',
      'core.v1.PodSpec',
      {
        containers: [{ name: 'a', env: [], command: null, stdin: false, image: '' }],
        hostNetwork: false,
        nodeSelector: {},
      },
      { containers: [{ name: 'a', resources: {} }] },
    ],
    [
      'a zero behind a pointer stays',
      'core.v1.PodSpec',
      { containers: [{ name: 'a' }], priority: 0, enableServiceLinks: false, terminationGracePeriodSeconds: 0 },
      {
        containers: [{ name: 'a', resources: {} }],
        priority: 0,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 0,
      },
    ],
    [
      'a list that must be there is null when it is not',
      'rbac.v1.ClusterRole',
      { rules: [] },
      { metadata: {}, rules: null },
    ],
    [
      'quantities are canonical, whether they came as text or as a number',
      'core.v1.ResourceRequirements',
      { limits: { cpu: 2, memory: '1024Mi' }, requests: { cpu: '0.5' } },
      { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } },
    ],
    [
      'times are in UTC',
      'coordination.v1.LeaseSpec',
      { acquireTime: '2026-01-01T02:00:00.000001+02:00' },
      { acquireTime: '2026-01-01T00:00:00.000001Z' },
    ],
    [
      'null in a list of structs is an empty one',
      'core.v1.PodSpec',
      { containers: [null] },
      { containers: [{ name: '', resources: {} }] },
    ],
    [
      'text and numbers are both ports',
      'core.v1.ServicePort',
      { port: 80, targetPort: 'http' },
      { port: 80, targetPort: 'http' },
    ],
  ];
  for (const [name, type, draft, wanted] of cases) {
    test(name, () => expect(normalized(type, draft)).toEqual(wanted));
  }
});

describe('what Go cannot read is refused in its words', () => {
  const cases: readonly (readonly [string, Draft, string])[] = [
    [
      'core.v1.ConfigMap',
      { data: { a: 1 } },
      '400 ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'core.v1.Pod',
      { spec: { containers: [{ name: 'a', ports: [{ containerPort: 'http' }] }] } },
      '400 Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [
      'core.v1.Pod',
      { spec: { containers: {} } },
      '400 Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'core.v1.Pod',
      { spec: { activeDeadlineSeconds: 1.5 } },
      '400 Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
    ],
    [
      'core.v1.Secret',
      { data: { a: 'not base64!' } },
      '400 Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
    ],
    [
      'core.v1.PersistentVolumeClaim',
      { spec: { resources: { requests: { storage: '1 Gi' } } } },
      '400 PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
    ],
  ];
  for (const [type, draft, wanted] of cases) {
    test(`${type} ${JSON.stringify(draft)}`, () => expect(refusal(type, draft)).toBe(wanted));
  }
});
