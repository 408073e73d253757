import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { activeState } from '../../refs/active-state.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { hostNetwork } from '../../refs/canonical-network.ts';
import { routePathOf } from '../../refs/route-path.ts';
import type { RoutePath } from '../../refs/route-path.ts';
import { privateServiceContract } from '../../targets/network-route/contract.ts';
import { privateServiceKind } from './resource.ts';
import type { PrivateService } from './resource.ts';

type Resolved = RoutePath & { readonly addresses: readonly string[] };

export const privateServiceContributor = defineContributor<PrivateService, Resolved>({
  kind: privateServiceKind,
  finalizer: 'privateservice.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/privateservice-finalizer'],
  reads: [serviceKind],
  resolve,
  contribute: ({ metadata, spec }, { account, addresses, tunnelId, tunnelName, virtualNetworkId }) => {
    const { accountId, credentials } = account;
    const { comment } = spec;
    return addresses.map((serviceIP) => {
      const network = hostNetwork(serviceIP) ?? serviceIP;
      const path = { network, serviceIP, tunnelId, tunnelName, virtualNetworkId };
      const config = { ...path, ...(comment && { comment }), ...adoptWish(metadata) };
      return contribution(privateServiceContract, { accountId, network, virtualNetworkId }, config, { credentials });
    });
  },
  status: ({ status }, view) => {
    const [part] = view.parts;
    const joined = (field: string): string =>
      view.parts.map(({ contribution: { config } }) => String(config[field])).join(', ');
    return {
      state: activeState(view, status?.state),
      ...(part && {
        accountId: part.contribution.syncState.accountId,
        tunnelName: part.contribution.config['tunnelName'],
        network: joined('network'),
        serviceIP: joined('serviceIP'),
      }),
      ...(part?.synced && { tunnelId: part.outputs['tunnelId'], virtualNetworkId: part.outputs['virtualNetworkId'] }),
    };
  },
  ready: { synced: 'Synced', pending: 'Pending', failed: 'RegisterFailed' },
});

/** Every address of the Service gets a route: a Service of two families has two. */
function resolve({ metadata, spec }: PrivateService, refs: Refs): Resolution<Resolved> {
  const { name } = spec.serviceRef;
  const service = refs.get(serviceKind, { namespace: metadata.namespace, name });
  if (!service) return broken('DependencyError', `Service ${name} is not there`);
  const { clusterIP = '', clusterIPs = [clusterIP] } = service.spec ?? {};
  const addresses = clusterIPs.filter((address) => hostNetwork(address) !== undefined);
  if (addresses.length === 0) return broken('InvalidConfig', `spec.serviceRef: Service ${name} has no cluster IP`);
  const path = routePathOf(refs, spec, metadata.namespace);
  return path.ok ? { ...path, value: { ...path.value, addresses } } : path;
}

function broken(reason: string, message: string): Resolution<Resolved> {
  return { ok: false, state: 'broken', reason, message };
}
