import type { AnyObject } from '@tributary/runtime';
import { withDeployPatch } from './deploy-patch.ts';
import type { Json } from './strategic-merge.ts';

export type CloudflaredOptions = {
  readonly name: string;
  readonly namespace: string;
  readonly protocol: string;
  /** The Secret with the run token. */
  readonly tokenSecret: string;
  /** Changes when the token does, and the pods with it. */
  readonly tokenHash: string;
  readonly originCaPool?: string | undefined;
  readonly patch: Json;
};

/** Pinned, so that pods of one Deployment are of one version; another one by deployPatch. */
export const cloudflaredImage = 'cloudflare/cloudflared:2025.11.1';

/** Where certificates of origins are found by cloudflared. */
export const certificateFolder = '/etc/cloudflared/certs';

const metricsPort = 2000;

/**
 * cloudflared in token mode: rules come from Cloudflare, the pod needs nothing but the token. The selector names the
 * object and nothing that may change, since a Deployment keeps its selector for life.
 */
export function toDeployment(options: CloudflaredOptions): AnyObject {
  const { name, namespace, tokenHash, patch } = options;
  const labels = selectorOf(name);
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      // Connectors take over from each other, so a new one is up before an old one goes.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels, annotations: { 'cloudflare-operator.io/token-checksum': tokenHash } },
        spec: podSpec(options),
      },
    },
  };
  return withDeployPatch(deployment, patch) as AnyObject;
}

export function selectorOf(name: string): Readonly<Record<string, string>> {
  return { 'cloudflare-operator.io/app': 'cloudflared', 'cloudflare-operator.io/tunnel': labelValue(name) };
}

/** What a patch once set and no longer does must go; what the server fills in by itself is not among them. */
const absentUnlessPatched = {
  tolerations: null,
  nodeSelector: null,
  imagePullSecrets: null,
  topologySpreadConstraints: null,
  priorityClassName: null,
  hostAliases: null,
  initContainers: null,
} as const;

/** What every pod with cloudflared has: no rights, and a node that the image is for. */
export const cloudflaredPod = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  automountServiceAccountToken: false,
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
              { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
            ],
          },
        ],
      },
    },
  },
} as const;

export const cloudflaredSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsUser: 1002,
  capabilities: { drop: ['ALL'] },
} as const;

function podSpec({ originCaPool, ...options }: CloudflaredOptions): Json {
  return {
    ...cloudflaredPod,
    containers: [container(options, Boolean(originCaPool))],
    volumes: originCaPool ? [{ name: 'certs', secret: { secretName: originCaPool, defaultMode: 0o644 } }] : null,
    ...absentUnlessPatched,
  };
}

function container(
  { protocol, tokenSecret }: Omit<CloudflaredOptions, 'originCaPool'>,
  hasCertificates: boolean,
): Json {
  const args = ['tunnel', '--no-autoupdate', '--protocol', protocol, '--metrics', `0.0.0.0:${metricsPort}`, 'run'];
  const ready = { httpGet: { path: '/ready', port: metricsPort } };
  return {
    name: 'cloudflared',
    image: cloudflaredImage,
    args,
    env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: tokenSecret, key: 'token' } } }],
    ports: [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    // Slow to connect is no reason to be killed; connected once and lost for a while is one.
    startupProbe: { ...ready, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...ready, periodSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...ready, periodSeconds: 10, failureThreshold: 6 },
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: cloudflaredSecurity,
    volumeMounts: hasCertificates ? [{ name: 'certs', mountPath: certificateFolder, readOnly: true }] : null,
  };
}

/** Names of objects may be longer than values of labels. */
export function labelValue(name: string): string {
  return name.slice(0, 63).replace(/[^a-z0-9]+$/i, '');
}
