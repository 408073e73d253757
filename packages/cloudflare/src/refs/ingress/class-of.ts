import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { tunnelIngressClassConfigKind } from '../../kinds/tunnel-ingress-class-config/resource.ts';
import type { TunnelIngressClassConfig } from '../../kinds/tunnel-ingress-class-config/resource.ts';
import { oldest } from '../oldest.ts';
import { ingressClassKind } from './ingress-kinds.ts';
import type { Ingress, IngressClass } from './ingress-kinds.ts';

export type { TunnelIngressClassConfig };

type Caches = Pick<Refs, 'get' | 'list' | 'operatorNamespace'>;

export const ingressController = 'cloudflare-operator.io/ingress-controller';

export type ClaimedClass =
  | { readonly is: 'ours'; readonly class: IngressClass }
  /** It names a class that is not there, or none while no class of ours is the default. */
  | { readonly is: 'unknown'; readonly name: string }
  | { readonly is: 'foreign' };

/** Whose an Ingress is, by its class: named in the spec, named by the older annotation, or our default. */
export function classOf({ spec, metadata }: Ingress, refs: Caches): ClaimedClass {
  const name = spec?.ingressClassName || metadata.annotations?.['kubernetes.io/ingress.class'];
  const found = name ? refs.get(ingressClassKind, { name }) : defaultClass(refs);
  if (!found) return { is: 'unknown', name: name ?? '' };
  return found.spec?.controller === ingressController ? { is: 'ours', class: found } : { is: 'foreign' };
}

function defaultClass(refs: Caches): IngressClass | undefined {
  const defaults = refs
    .list(ingressClassKind)
    .filter(({ metadata }) => metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true');
  return oldest(defaults.filter(({ spec }) => spec?.controller === ingressController));
}

export type ClassConfig =
  | { readonly ok: true; readonly config: TunnelIngressClassConfig }
  | { readonly ok: false; readonly message: string };

/** The settings that a class refers to. */
export function configOf({ metadata, spec }: IngressClass, refs: Caches): ClassConfig {
  const what = `IngressClass ${metadata.name ?? ''}`;
  const parameters = spec?.parameters;
  if (!parameters) return { ok: false, message: `${what}: spec.parameters must name a TunnelIngressClassConfig` };
  const { group, kind } = tunnelIngressClassConfigKind;
  if (parameters.apiGroup !== group || parameters.kind !== kind) {
    return { ok: false, message: `${what}: spec.parameters must be of kind ${kind} in ${group}` };
  }
  const ref = { namespace: parameters.namespace || refs.operatorNamespace, name: parameters.name };
  const config = refs.get(tunnelIngressClassConfigKind, ref);
  if (config) return { ok: true, config };
  return { ok: false, message: `${kind} ${ref.namespace}/${ref.name} of ${what} is not there` };
}

/** Whether the settings cover the namespace; without a list they cover all. */
export function coversNamespace({ spec }: TunnelIngressClassConfig, namespace: string | undefined): boolean {
  const { watchNamespaces = [] } = spec;
  return watchNamespaces.length === 0 || watchNamespaces.includes(namespace ?? '');
}
