import type { AnyObject } from '@tributary/runtime';
import type { Child } from '../../engine/l2-controllers/contributor.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { cloudflaredPod, cloudflaredSecurity, labelValue } from '../../refs/tunnels/cloudflared-deployment.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import type { AccessTunnel } from './resource.ts';

const listenPort = 8000;

/** cloudflared as a client of what is behind Access, and a Service before it. */
export function toChildren(tunnel: AccessTunnel, tokenHash: string | undefined): readonly Child[] {
  const { namespace, name = '' } = tunnel.metadata;
  const { target } = tunnel;
  const labels = { app: 'cloudflared', name: labelValue(name) };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: target.svc.name || name, labels },
    spec: {
      selector: labels,
      ports: [{ name: target.protocol, port: target.svc.port, targetPort: listenPort, protocol: 'TCP' }],
    },
  };
  const checksum = { 'cloudflare-operator.io/token-checksum': tokenHash ?? null };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: checksum },
        spec: { ...cloudflaredPod, containers: [container(tunnel)] },
      },
    },
  };
  return [
    { kind: deploymentKind, object: deployment as unknown as AnyObject },
    { kind: serviceKind, object: service as unknown as AnyObject },
  ];
}

function container({ target, serviceToken }: AccessTunnel): object {
  const args = ['access', target.protocol, '--listener', `0.0.0.0:${listenPort}`, '--hostname', target.fqdn];
  const fromSecret = (name: string, key: string): object => ({
    name,
    valueFrom: { secretKeyRef: { name: serviceToken?.secretRef, key } },
  });
  return {
    name: 'cloudflared',
    image: target.image,
    args,
    // cloudflared takes the token from these as from its flags, and whoever sees the pod does not see it.
    env: serviceToken
      ? [
          fromSecret('TUNNEL_SERVICE_TOKEN_ID', serviceToken.CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID),
          fromSecret('TUNNEL_SERVICE_TOKEN_SECRET', serviceToken.CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN),
        ]
      : null,
    ports: [{ name: 'listener', containerPort: listenPort, protocol: 'TCP' }],
    readinessProbe: { tcpSocket: { port: listenPort }, periodSeconds: 10, failureThreshold: 3 },
    resources: { requests: { memory: '30Mi', cpu: '10m' }, limits: { memory: '256Mi', cpu: '500m' } },
    securityContext: cloudflaredSecurity,
  };
}
