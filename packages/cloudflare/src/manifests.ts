import { operatorManifests } from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import { allKinds } from './catalog.ts';
import { permissions } from './permissions.ts';

export type CloudflareManifestOptions = {
  readonly namespace?: string;
  readonly image?: string;
  readonly replicas?: number;
};

const name = 'cloudflare-operator';
const webhookPort = 9443;
const webhookServiceName = `${name}-webhook-service`;
type Crd = ReturnType<(typeof allKinds)[number]['toCrd']>;

/** Everything that the operator needs on a cluster: CRDs, account, rights, three replicas, the Service of its webhook. */
export function cloudflareManifests(options: CloudflareManifestOptions = {}): readonly AnyObject[] {
  const { namespace = 'cloudflare-operator-system', image = 'tributary:latest', replicas = 3 } = options;
  const [first, ...rest] = operatorManifests({
    name,
    namespace,
    image,
    args: ['run', 'cloudflare', '--leader-elect', '--metrics-bind-address=:8080', '--health-probe-bind-address=:8081'],
    replicas,
    permissions,
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    metricsPort: 8080,
    healthPort: 8081,
  });
  const crds = allKinds.map((kind) => withWebhookIn(namespace, kind.toCrd()));
  return [...(first ? [first] : []), ...crds, ...rest, webhookService(namespace)];
}

/** The API server asks for conversions where the operator runs. */
function withWebhookIn(namespace: string, crd: Crd): AnyObject {
  const { conversion } = crd.spec;
  if (conversion?.strategy !== 'Webhook') return { ...crd };
  const service = { namespace, name: webhookServiceName, path: '/convert' };
  const webhook = { ...conversion.webhook, clientConfig: { service } };
  return { ...crd, spec: { ...crd.spec, conversion: { ...conversion, webhook } } };
}

function webhookService(namespace: string): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: webhookServiceName, namespace },
    spec: { selector: { 'app.kubernetes.io/name': name }, ports: [{ port: 443, targetPort: webhookPort }] },
  };
}
