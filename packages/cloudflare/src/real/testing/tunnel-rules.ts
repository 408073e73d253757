import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import type { InstalledCluster } from './installed-cluster.ts';

type Answer = {
  readonly result?: {
    readonly config?: {
      readonly ingress?: readonly { readonly hostname?: string }[];
      readonly 'warp-routing'?: { readonly enabled?: boolean };
    } | null;
  };
};

type Seen = Pick<InstalledCluster, 'client' | 'sim'>;

/** Where Cloudflare has the configuration of a ClusterTunnel. */
export async function tunnelPath({ client, sim }: Seen, name: string): Promise<string> {
  const { status } = await client.get(clusterTunnelKind, { name });
  return `/accounts/${sim.accountId}/cfd_tunnel/${status?.tunnelId ?? ''}/configurations`;
}

/** The hosts of its rules, in their order; a star for the last, which has none. */
export async function hostsOf(seen: Seen, name: string): Promise<readonly string[]> {
  return (configAt(seen, await tunnelPath(seen, name))?.ingress ?? []).map(({ hostname = '*' }) => hostname);
}

/** The same for a path that is known, with whether the tunnel leads to private networks. */
export function rulesAt(seen: Pick<Seen, 'sim'>, path: string): readonly string[] {
  const config = configAt(seen, path);
  const hosts = (config?.ingress ?? []).map(({ hostname = '*' }) => hostname);
  return [`warp ${config?.['warp-routing']?.enabled ?? false}`, ...hosts];
}

function configAt({ sim }: Pick<Seen, 'sim'>, path: string): NonNullable<Answer['result']>['config'] {
  return (sim.dashboard('GET', path).body as Answer).result?.config;
}
