import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { credentialsOf } from './credentials-of.ts';
import type { Account } from './credentials-of.ts';

export type TunnelRef = {
  /** `ClusterTunnel` when absent; the case does not matter. */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly namespace?: string | undefined;
};

export type TunnelFound = Account & {
  readonly tunnelId: string;
  readonly tunnelName: string;
  /** What the user has told the tunnel about its account and domain. */
  readonly cloudflare: TunnelObject['spec']['cloudflare'];
};

type TunnelObject = NonNullable<(typeof tunnelKind)['objectType']>;

/** The tunnel that an object refers to, once it is known at Cloudflare, with the tunnel's own credentials. */
export function tunnelOf(refs: Refs, ref: TunnelRef, defaultNamespace: string): Resolution<TunnelFound> {
  const isCluster = (ref.kind ?? 'ClusterTunnel').toLowerCase() !== 'tunnel';
  const namespace = isCluster ? undefined : ref.namespace || defaultNamespace;
  const tunnel: TunnelObject | undefined = isCluster
    ? refs.get(clusterTunnelKind, { name: ref.name })
    : refs.get(tunnelKind, { namespace, name: ref.name });
  const what = isCluster ? `ClusterTunnel ${ref.name}` : `Tunnel ${namespace ?? ''}/${ref.name}`;
  if (!tunnel) return { ok: false, state: 'broken', reason: 'DependencyError', message: `${what} is not there` };
  const { tunnelId, tunnelName, accountId } = tunnel.status ?? {};
  if (!tunnelId) {
    return { ok: false, state: 'waiting', reason: 'DependencyError', message: `${what} has no tunnel id yet` };
  }
  const account = credentialsOf(refs, tunnel.spec.cloudflare, namespace, { accountOptional: true });
  if (!account.ok) return account;
  const found = { tunnelId, tunnelName: tunnelName ?? '', cloudflare: tunnel.spec.cloudflare };
  return { ok: true, value: { ...account.value, accountId: accountId || account.value.accountId, ...found } };
}
