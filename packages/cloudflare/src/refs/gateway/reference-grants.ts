import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { gatewayGroup, referenceGrantKind } from './gateway-kinds.ts';
import { listServed } from './served-kinds.ts';

export type Reference = {
  /** Of the object that refers, all of them kinds of the Gateway API. */
  readonly from: { readonly kind: string; readonly namespace: string };
  readonly to: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string };
};

/** Whether the owner of the other namespace lets the reference in. In one's own namespace nobody needs leave. */
export function isGranted({ from, to }: Reference, refs: Pick<Refs, 'get' | 'list'>): boolean {
  if (from.namespace === to.namespace) return true;
  return listServed(refs, referenceGrantKind, { namespace: to.namespace }).some(({ spec }) => {
    const isFrom = spec?.from?.some(
      ({ group, kind, namespace }) => group === gatewayGroup && kind === from.kind && namespace === from.namespace,
    );
    const isTo = spec?.to?.some(
      ({ group, kind, name }) => group === to.group && kind === to.kind && (!name || name === to.name),
    );
    return isFrom === true && isTo === true;
  });
}
