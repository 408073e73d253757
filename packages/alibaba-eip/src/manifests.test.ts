import { expect, test } from 'vitest';
import { eipManifests } from './manifests.ts';

const find = (kind: string): Record<string, never> => {
  const object = eipManifests({ namespace: 'ns', image: 'registry/image:1', regionId: 'cn-x', replicas: 2 }).find(
    (one) => one.kind === kind,
  );
  return object as unknown as Record<string, never>;
};

test('the Deployment has the resources, names and ports of the original and no rights on its node', () => {
  const { spec } = find('Deployment') as unknown as {
    spec: { template: { spec: { containers: [Record<string, unknown>] } } };
  };
  const [container] = spec.template.spec.containers;
  expect(container).toMatchObject({
    image: 'registry/image:1',
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
  });
  expect(spec.template.spec).toMatchObject({
    serviceAccountName: 'alibabacloud-eip-operator-controller-manager',
    securityContext: { runAsUser: 65_532, runAsNonRoot: true },
  });
});

test('the rights are to read and patch EIPs, to tell events, and nothing about Secrets', () => {
  const { rules } = find('ClusterRole') as unknown as { rules: unknown };
  expect(rules).toEqual([
    { apiGroups: ['eip.alibabacloud.com'], resources: ['eips'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: ['eip.alibabacloud.com'], resources: ['eips/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: ['get'] },
  ]);
});

test('every object that lives in a namespace is in the one that was asked for', () => {
  const namespaces = eipManifests({ namespace: 'ns' }).map(({ kind, metadata }) => [kind, metadata.namespace]);
  expect(namespaces).toEqual([
    ['Namespace', undefined],
    ['CustomResourceDefinition', undefined],
    ['ServiceAccount', 'ns'],
    ['ClusterRole', undefined],
    ['ClusterRoleBinding', undefined],
    ['Role', 'ns'],
    ['RoleBinding', 'ns'],
    ['ConfigMap', 'ns'],
    ['Deployment', 'ns'],
  ]);
});
