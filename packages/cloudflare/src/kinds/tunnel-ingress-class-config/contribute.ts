import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { classOf, configOf, coversNamespace } from '../../refs/ingress/class-of.ts';
import { ingressClassKind, ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import { classState, resolveClass } from '../../refs/resolve-class.ts';
import type { TunnelFound } from '../../refs/tunnel-of.ts';
import { tunnelReads } from '../../refs/tunnels/tunnel-reads.ts';
import { tunnelIngressClassConfigKind } from './resource.ts';
import type { TunnelIngressClassConfig } from './resource.ts';

/** Asks for nothing itself: it shows whether its tunnel is there and how many Ingresses go by it. */
export const tunnelIngressClassConfigContributor = defineContributor<TunnelIngressClassConfig, TunnelFound>({
  kind: tunnelIngressClassConfigKind,
  reads: [ingressKind, ingressClassKind, ...tunnelReads],
  resolve: resolveClass,
  contribute: () => [],
  ready: { synced: 'Reconciled', pending: 'Pending', failed: 'Error' },
  status: (object, view, refs) => ({
    ...classState(object, view, refs),
    ingressCount: countIngresses(object, refs),
  }),
});

function countIngresses({ metadata }: TunnelIngressClassConfig, refs: Refs): number {
  return refs.list(ingressKind).filter((ingress) => {
    if (ingress.metadata.deletionTimestamp) return false;
    const claimed = classOf(ingress, refs);
    if (claimed.is !== 'ours') return false;
    const found = configOf(claimed.class, refs);
    if (!found.ok) return false;
    const { namespace, name } = found.config.metadata;
    const isThis = namespace === metadata.namespace && name === metadata.name;
    return isThis && coversNamespace(found.config, ingress.metadata.namespace);
  }).length;
}
