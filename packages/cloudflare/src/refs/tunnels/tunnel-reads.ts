import type { Kind, KubeObject } from '@tributary/runtime';
import { cloudflareCredentialsKind } from '../../kinds/cloudflare-credentials/resource.ts';
import { cloudflareDomainKind } from '../../kinds/cloudflare-domain/resource.ts';
import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import { tunnelIngressClassConfigKind } from '../../kinds/tunnel-ingress-class-config/resource.ts';
import { tunnelKind } from '../../kinds/tunnel/resource.ts';

/** What a kind reads that puts rules into a tunnel and records beside it. */
export const tunnelReads: readonly Kind<KubeObject>[] = [
  tunnelKind,
  clusterTunnelKind,
  tunnelIngressClassConfigKind,
  cloudflareCredentialsKind,
  cloudflareDomainKind,
];
