import { describe, expect, test } from 'vitest';
import { toDeployment } from './cloudflared-deployment.ts';
import { readDeployPatch } from './deploy-patch.ts';

const options = {
  name: 'main',
  namespace: 'edge',
  protocol: 'quic',
  tokenSecret: 'main-token',
  tokenHash: 'abc',
  patch: {},
};

type Pod = {
  readonly containers: readonly Record<string, unknown>[];
  readonly volumes?: readonly object[];
  readonly tolerations?: readonly object[];
  readonly [field: string]: unknown;
};
type Deployment = {
  readonly metadata: { readonly labels: Record<string, string> };
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: object };
      readonly spec: Pod;
    };
  };
};

function deploy(given: Partial<Parameters<typeof toDeployment>[0]> = {}): Deployment {
  return toDeployment({ ...options, ...given }) as unknown as Deployment;
}

function patched(text: string): Deployment {
  const read = readDeployPatch(text);
  if (!read.ok) throw new Error(read.message);
  return deploy({ patch: read.patch });
}

describe('the Deployment of cloudflared', () => {
  test('runs in token mode, with the token from its Secret and never in the arguments', () => {
    const [container] = deploy().spec.template.spec.containers;
    expect(container?.['args']).toEqual([
      'tunnel',
      '--no-autoupdate',
      '--protocol',
      'quic',
      '--metrics',
      '0.0.0.0:2000',
      'run',
    ]);
    expect(container?.['env']).toEqual([
      { name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: 'main-token', key: 'token' } } },
    ]);
  });

  test('an empty originCaPool is none: nothing is mounted that no volume holds', () => {
    expect(deploy({ originCaPool: '' })).toEqual(deploy());
  });

  test('is this, field for field: probes, resources, no rights, nodes that the image is for', () => {
    const labels = { 'cloudflare-operator.io/app': 'cloudflared', 'cloudflare-operator.io/tunnel': 'main' };
    const ready = { httpGet: { path: '/ready', port: 2000 } };
    const nodes = [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
    ];
    // What is null must not be there: it goes when a patch that set it is taken back.
    const absent = {
      tolerations: null,
      nodeSelector: null,
      imagePullSecrets: null,
      topologySpreadConstraints: null,
      priorityClassName: null,
      hostAliases: null,
      initContainers: null,
      volumes: null,
    };
    expect(deploy()).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'main', namespace: 'edge', labels },
      spec: {
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template: {
          metadata: { labels, annotations: { 'cloudflare-operator.io/token-checksum': 'abc' } },
          spec: {
            ...absent,
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: nodes }] },
              },
            },
            containers: [
              {
                name: 'cloudflared',
                image: 'cloudflare/cloudflared:2025.11.1',
                args: ['tunnel', '--no-autoupdate', '--protocol', 'quic', '--metrics', '0.0.0.0:2000', 'run'],
                env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: 'main-token', key: 'token' } } }],
                ports: [{ name: 'metrics', containerPort: 2000, protocol: 'TCP' }],
                startupProbe: { ...ready, periodSeconds: 5, failureThreshold: 60 },
                readinessProbe: { ...ready, periodSeconds: 10, failureThreshold: 3 },
                livenessProbe: { ...ready, periodSeconds: 10, failureThreshold: 6 },
                resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  runAsUser: 1002,
                  capabilities: { drop: ['ALL'] },
                },
                volumeMounts: null,
              },
            ],
          },
        },
      },
    });
  });

  test('rolls when the token changes, and for nothing else of the tunnel', () => {
    expect(deploy().spec.template.metadata.annotations).toEqual({ 'cloudflare-operator.io/token-checksum': 'abc' });
    expect(deploy({ tokenHash: 'def' }).spec.template).not.toEqual(deploy().spec.template);
  });

  test('selects by what never changes, and its pods carry just that', () => {
    const labels = { 'cloudflare-operator.io/app': 'cloudflared', 'cloudflare-operator.io/tunnel': 'main' };
    const { selector, template } = deploy().spec;
    expect([selector.matchLabels, template.metadata.labels]).toEqual([labels, labels]);
    const long = deploy({ name: `${'a'.repeat(62)}.b` });
    expect(long.spec.selector.matchLabels).toMatchObject({ 'cloudflare-operator.io/tunnel': 'a'.repeat(62) });
  });

  test('mounts the certificates of origins where rules look for them', () => {
    const { containers, volumes } = deploy({ originCaPool: 'cas' }).spec.template.spec;
    expect(volumes).toEqual([{ name: 'certs', secret: { secretName: 'cas', defaultMode: 420 } }]);
    expect(containers[0]?.['volumeMounts']).toEqual([
      { name: 'certs', mountPath: '/etc/cloudflared/certs', readOnly: true },
    ]);
    expect(deploy().spec.template.spec.volumes).toBeNull();
  });

  test('leaves the number of replicas to others unless the patch sets it', () => {
    expect(deploy().spec.replicas).toBeUndefined();
    expect(patched('spec: {replicas: 3}').spec.replicas).toBe(3);
  });
});

describe('spec.deployPatch', () => {
  test('merges containers by name, and the rest of the container stays', () => {
    const { containers } = patched(
      '{"spec":{"template":{"spec":{"containers":[{"name":"cloudflared","image":"x:1","env":[{"name":"A","value":"b"}]},{"name":"side","image":"y"}]}}}}',
    ).spec.template.spec;
    expect(containers.map(({ name }) => name)).toEqual(['cloudflared', 'side']);
    expect(containers[0]).toMatchObject({ image: 'x:1', args: expect.arrayContaining(['run']) });
    expect(containers[0]?.['env']).toEqual([
      { name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: 'main-token', key: 'token' } } },
      { name: 'A', value: 'b' },
    ]);
  });

  test('replaces lists without names, deletes by null, and knows $patch', () => {
    const pod = patched(`
spec:
  template:
    spec:
      tolerations: [{key: edge, operator: Exists}]
      affinity: null
      containers:
        - name: cloudflared
          livenessProbe: null
          resources: {$patch: replace, limits: {cpu: "1"}}
          ports: [{containerPort: 2000, $patch: delete}]
`).spec.template.spec;
    expect(pod.tolerations).toEqual([{ key: 'edge', operator: 'Exists' }]);
    expect(pod['affinity']).toBeUndefined();
    expect(pod.containers[0]).toMatchObject({ resources: { limits: { cpu: '1' } }, ports: [] });
    expect(pod.containers[0]).not.toHaveProperty('livenessProbe');
    expect(pod.containers[0]?.['resources']).toEqual({ limits: { cpu: '1' } });
  });

  const bad = [
    { name: 'broken YAML', text: '{', says: /^spec\.deployPatch: / },
    { name: 'a list', text: '[1]', says: /^spec\.deployPatch: must be a map$/ },
    { name: 'a pod spec at the wrong place', text: 'template: {}', says: /^spec\.deployPatch: template is no field/ },
    { name: 'another name', text: 'metadata: {name: x}', says: /metadata\.name and metadata\.namespace cannot/ },
    { name: 'another selector', text: 'spec: {selector: {}}', says: /spec\.selector cannot be changed/ },
  ];
  for (const { name, text, says } of bad) {
    test(`refuses ${name} with a message that names the field`, () => {
      const read = readDeployPatch(text);
      expect(read.ok ? '' : read.message).toMatch(says);
    });
  }

  test('may be empty', () => {
    expect([readDeployPatch('{}'), readDeployPatch('')]).toEqual([
      { ok: true, patch: {} },
      { ok: true, patch: {} },
    ]);
  });
});
