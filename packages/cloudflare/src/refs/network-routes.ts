import type { Refs } from '../engine/l2-controllers/contributor.ts';
import { networkRouteKind } from '../kinds/network-route/resource.ts';
import { canonicalNetwork } from './canonical-network.ts';
import { matchesLabels } from './gateway/matches-labels.ts';
import type { LabelSelector } from './label-selector.ts';

/** The networks of the NetworkRoutes that a selector selects, by name. */
export function routedNetworks(
  refs: Pick<Refs, 'list'>,
  selector: LabelSelector,
): readonly { readonly name: string; readonly network: string }[] {
  const chosen = selector as Parameters<typeof matchesLabels>[0];
  return refs
    .list(networkRouteKind)
    .filter(({ metadata: { deletionTimestamp, labels = {} } }) => !deletionTimestamp && matchesLabels(chosen, labels))
    .flatMap(({ metadata, spec }) => {
      const network = canonicalNetwork(spec.network);
      return network === undefined ? [] : [{ name: metadata.name ?? '', network }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
