import type { AnyObject } from '@tributary/runtime';
import { cloudflaredPod, cloudflaredSecurity, labelValue } from '../../refs/tunnels/cloudflared-deployment.ts';
import type { WarpConnector } from './resource.ts';

/** The pods of a connector. All that they need is the token; they are others when that is another. */
export function toDeployment({ metadata, spec }: WarpConnector, tokenSecret: string, tokenHash: string): AnyObject {
  const { name = '', namespace } = metadata;
  const { replicas, image, resources, nodeSelector, tolerations, serviceAccountName } = spec;
  const labels = { 'app.kubernetes.io/name': 'warp-connector', 'app.kubernetes.io/instance': labelValue(name) };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels, 'app.kubernetes.io/managed-by': 'cloudflare-operator' } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'cloudflare-operator.io/token-checksum': tokenHash } },
        spec: {
          ...cloudflaredPod,
          containers: [container(image, tokenSecret, resources)],
          nodeSelector: nodeSelector ?? null,
          tolerations: tolerations ?? null,
          serviceAccountName: serviceAccountName ?? null,
        },
      },
    },
  };
  return deployment as unknown as AnyObject;
}

function container(image: string, tokenSecret: string, resources: WarpConnector['spec']['resources']): object {
  return {
    name: 'warp-connector',
    image,
    args: ['tunnel', '--no-autoupdate', 'run'],
    env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: tokenSecret, key: 'TUNNEL_TOKEN' } } }],
    resources: { limits: resources?.limits ?? null, requests: resources?.requests ?? null },
    securityContext: cloudflaredSecurity,
  };
}
