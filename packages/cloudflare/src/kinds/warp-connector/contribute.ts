import { apiVersionOf } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { canonicalNetwork } from '../../refs/canonical-network.ts';
import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import { networkOf } from '../../refs/network-of.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { networkRouteContract } from '../../targets/network-route/contract.ts';
import { warpConnectorContract } from '../../targets/warp-connector/contract.ts';
import { warpConnectorKind } from './resource.ts';
import type { WarpConnector } from './resource.ts';
import { toDeployment } from './to-deployment.ts';

type Resolved = {
  readonly connector: Contribution;
  readonly routes: readonly Contribution[];
  readonly virtualNetworkId: string;
  /** Known once the connector is there and is this object's. */
  readonly tokenHash?: string | undefined;
};

export const warpConnectorContributor = defineContributor<WarpConnector, Resolved>({
  kind: warpConnectorKind,
  ...finalizersOf('warpconnector'),
  childKinds: [deploymentKind],
  resolve,
  contribute: (_object, { connector, routes }) => [connector, ...routes],
  children: (object, { tokenHash }) =>
    tokenHash === undefined
      ? []
      : [{ kind: deploymentKind, object: toDeployment(object, tokenSecretOf(object), tokenHash) }],
  status: ({ status }, view) => toStatus(view, status?.state),
  ready: { synced: 'Reconciled', pending: 'Pending', failed: 'ReconcileError' },
});

function tokenSecretOf({ metadata }: KubeObject): string {
  return `${metadata.name ?? ''}-token`;
}

function resolve(object: WarpConnector, refs: Refs): Resolution<Resolved> {
  const { spec, metadata } = object;
  const account = credentialsOf(refs, spec.cloudflare, metadata.namespace);
  if (!account.ok) return account;
  const network = networkOf(refs, spec.virtualNetworkRef, account.value);
  if (!network.ok) return network;
  const { accountId, credentials } = account.value;
  const name = spec.name || (metadata.name ?? '');
  const owner = ownerOf(object);
  const secret = { namespace: metadata.namespace ?? '', name: tokenSecretOf(object), owner };
  const config = { name, secret, ...adoptWish(metadata) };
  const connector = contribution(warpConnectorContract, { accountId, name }, config, { credentials });
  const { status } = refs.syncState(connector.syncState.name) ?? {};
  const lost = status?.losers?.some(
    ({ ref }) => ref.kind === owner.kind && ref.namespace === metadata.namespace && ref.name === owner.name,
  );
  const known = lost ? undefined : status?.cloudflareID;
  const routes = known === undefined ? [] : toRoutes(spec, known, network.value, { accountId, credentials, name });
  const tokenHash = known === undefined ? undefined : status?.resultData?.['tokenHash'];
  return { ok: true, value: { connector, routes, virtualNetworkId: network.value, tokenHash } };
}

function ownerOf({ metadata }: WarpConnector): { apiVersion: string; kind: string; name: string; uid: string } {
  const { name = '', uid = '' } = metadata;
  return { apiVersion: apiVersionOf(warpConnectorKind), kind: warpConnectorKind.kind, name, uid };
}

type RoutePlace = Pick<Contribution['syncState'], 'accountId'> & {
  readonly credentials: Contribution['syncState']['credentialsRef'];
  readonly name: string;
};

/** Two ways to write one network are one route. */
function toRoutes(
  { routes = [] }: WarpConnector['spec'],
  tunnelId: string,
  virtualNetworkId: string,
  { accountId, credentials, name }: RoutePlace,
): readonly Contribution[] {
  const byNetwork = new Map(routes.map((route) => [canonicalNetwork(route.network) ?? route.network, route.comment]));
  return [...byNetwork].map(([network, comment]) => {
    const config = { network, tunnelId, tunnelName: name, virtualNetworkId, ...(comment && { comment }) };
    return contribution(networkRouteContract, { accountId, network, virtualNetworkId }, config, { credentials });
  });
}

type WithReplicas = KubeObject & { readonly status?: { readonly readyReplicas?: number } };

function toStatus(view: View, before: string | undefined): Readonly<Record<string, unknown>> {
  const [connector, ...routes] = view.parts;
  const [deployment] = (view.children ?? []) as readonly WithReplicas[];
  const isReady = view.state === 'Synced' && view.losses.length === 0;
  const state =
    view.state === 'Error' || view.losses.length > 0 ? 'Error' : isReady || before === 'Ready' ? 'Ready' : 'Pending';
  return {
    state,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    ...(connector && {
      accountId: connector.contribution.syncState.accountId,
      routesConfigured: routes.filter(({ synced }) => synced).length,
      // Without routes there is no network to speak of.
      virtualNetworkId: routes[0]?.outputs['virtualNetworkId'],
    }),
    ...(connector?.id && view.losses.length === 0 && { connectorId: connector.id, tunnelId: connector.id }),
  };
}
