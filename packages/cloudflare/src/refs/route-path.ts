import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import type { CloudflareDetails } from './cloudflare-details.ts';
import { credentialsOf } from './credentials-of.ts';
import type { Account } from './credentials-of.ts';
import { networkOf } from './network-of.ts';
import type { TunnelRef, VirtualNetworkRef } from './network-refs.ts';
import { tunnelOf } from './tunnel-of.ts';

export type RouteSpec = {
  readonly cloudflare: CloudflareDetails;
  readonly tunnelRef: TunnelRef;
  readonly virtualNetworkRef?: VirtualNetworkRef | undefined;
};

/** Where a private route leads, and in which network it stands; no `virtualNetworkId` is the account's default one. */
export type RoutePath = {
  readonly account: Account;
  readonly tunnelId: string;
  readonly tunnelName: string;
  readonly virtualNetworkId: string;
};

/** What routes refer to. `namespace` is the object's own, if it has one. */
export function routePathOf(refs: Refs, spec: RouteSpec, namespace: string | undefined): Resolution<RoutePath> {
  const tunnel = tunnelOf(refs, spec.tunnelRef, namespace ?? 'default');
  if (!tunnel.ok) return tunnel;
  const { tunnelId, tunnelName, credentials, accountId } = tunnel.value;
  // A route is in its tunnel's account, so an object that says nothing goes by the tunnel's credentials.
  const account: Resolution<Account> = saysWho(spec.cloudflare)
    ? credentialsOf(refs, { ...spec.cloudflare, accountId: spec.cloudflare.accountId || accountId }, namespace)
    : { ok: true, value: { credentials, accountId } };
  if (!account.ok) return account;
  const network = networkOf(refs, spec.virtualNetworkRef, account.value);
  if (!network.ok) return network;
  return { ok: true, value: { account: account.value, tunnelId, tunnelName, virtualNetworkId: network.value } };
}

function saysWho({ credentialsRef, secret }: CloudflareDetails): boolean {
  return Boolean(credentialsRef?.name) || Boolean(secret);
}
