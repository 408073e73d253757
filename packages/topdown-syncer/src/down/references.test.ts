import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../contract/pod.ts';
import { referencesOf } from './references.ts';

const container = { name: 'main' };
const of = (spec: Partial<PodSpec>): readonly string[] =>
  referencesOf({ metadata: { namespace: 'default', name: 'web' }, spec: { containers: [container], ...spec } }).map(
    ({ kind, name, optional }) => `${kind} ${name}${optional ? ' (optional)' : ''}`,
  );
const env = [
  { name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
  { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
];
const envFrom = [{ configMapRef: { name: 'c', optional: true } }, { secretRef: { name: 's' } }];

const cases: { name: string; spec: Partial<PodSpec>; found: string[] }[] = [
  { name: 'nothing', spec: {}, found: [] },
  {
    name: 'volumes',
    spec: {
      volumes: [
        { name: 'a', configMap: { name: 'c' } },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'd', persistentVolumeClaim: { claimName: 'p' } },
      ],
    },
    found: ['ConfigMap c', 'Secret s', 'PersistentVolumeClaim p'],
  },
  {
    name: 'projections',
    spec: {
      volumes: [
        {
          name: 'a',
          projected: { sources: [{ configMap: { name: 'c' } }, { secret: { name: 's', optional: true } }] },
        },
      ],
    },
    found: ['ConfigMap c', 'Secret s (optional)'],
  },
  { name: 'variables', spec: { containers: [{ ...container, env }] }, found: ['ConfigMap c', 'Secret s (optional)'] },
  {
    name: 'whole environments',
    spec: { containers: [{ ...container, envFrom }] },
    found: ['ConfigMap c (optional)', 'Secret s'],
  },
  {
    name: 'whole environments of several containers, with variables between them',
    spec: {
      containers: [
        { ...container, envFrom: [{ configMapRef: { name: 'a' } }, { configMapRef: { name: 'b' } }] },
        { name: 'second', env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }], envFrom },
      ],
    },
    found: ['ConfigMap a', 'ConfigMap b', 'ConfigMap c', 'Secret s'],
  },
  {
    name: 'init containers',
    spec: { initContainers: [{ ...container, envFrom }] },
    found: ['ConfigMap c (optional)', 'Secret s'],
  },
  {
    name: 'ephemeral containers',
    spec: { ephemeralContainers: [{ ...container, env }] },
    found: ['ConfigMap c', 'Secret s (optional)'],
  },
  {
    name: 'pull secrets, which nobody needs',
    spec: { imagePullSecrets: [{ name: 's' }] },
    found: ['Secret s (optional)'],
  },
  {
    name: 'claims of ephemeral volumes',
    spec: { volumes: [{ name: 'tmp', ephemeral: {} }] },
    found: ['PersistentVolumeClaim web-tmp'],
  },
  {
    name: 'secrets of CSI volumes in the pod',
    spec: { volumes: [{ name: 'x', csi: { nodePublishSecretRef: { name: 's' } } }] },
    found: ['Secret s'],
  },
  {
    name: 'W15: what one requires is required, whatever comes later',
    spec: { containers: [{ ...container, env, envFrom }] },
    found: ['ConfigMap c', 'Secret s'],
  },
];

describe('a pod names', () => {
  for (const { name, spec, found } of cases) test(name, () => expect(of(spec)).toEqual(found));
});
