import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { tunnelGatewayClassConfigKind } from '../../kinds/tunnel-gateway-class-config/resource.ts';
import type { TunnelGatewayClassConfig } from '../../kinds/tunnel-gateway-class-config/resource.ts';
import { gatewayClassKind } from './gateway-kinds.ts';
import type { Gateway, GatewayClass } from './gateway-kinds.ts';
import { getServed } from './served-kinds.ts';

export type { TunnelGatewayClassConfig };
export { tunnelGatewayClassConfigKind };

export const gatewayController = 'cloudflare-operator.io/gateway-controller';

export type ClaimedGateway =
  | { readonly is: 'ours'; readonly class: GatewayClass; readonly settings: ClassSettings }
  /** Its class is not there, which is no wish to take everything down. */
  | { readonly is: 'unknown'; readonly className: string }
  | { readonly is: 'foreign' };

/** Whose a Gateway is, by its class; and whether the class is for its namespace. */
export function claimOf({ spec, metadata }: Gateway, refs: Pick<Refs, 'get'>): ClaimedGateway {
  const className = spec?.gatewayClassName ?? '';
  const found = getServed(refs, gatewayClassKind, { name: className });
  if (!found) return { is: 'unknown', className };
  if (found.spec?.controllerName !== gatewayController) return { is: 'foreign' };
  const settings = settingsOf(found, refs);
  if (settings.ok && !coversNamespace(settings.config, metadata.namespace)) return { is: 'foreign' };
  return { is: 'ours', class: found, settings };
}

export type ClassSettings =
  | { readonly ok: true; readonly config: TunnelGatewayClassConfig }
  | { readonly ok: false; readonly message: string };

/** The settings that a class refers to. */
export function settingsOf({ spec, metadata }: GatewayClass, refs: Pick<Refs, 'get'>): ClassSettings {
  const { group, kind } = tunnelGatewayClassConfigKind;
  const what = `GatewayClass ${metadata.name ?? ''}: spec.parametersRef`;
  const parameters = spec?.parametersRef;
  if (!parameters) return { ok: false, message: `${what} must name a ${kind}` };
  if (parameters.group !== group || parameters.kind !== kind) {
    return { ok: false, message: `${what} must be of kind ${kind} in ${group}` };
  }
  const { namespace, name } = parameters;
  if (!namespace) return { ok: false, message: `${what}.namespace must be given` };
  const config = refs.get(tunnelGatewayClassConfigKind, { namespace, name });
  return config ? { ok: true, config } : { ok: false, message: `${kind} ${namespace}/${name} is not there` };
}

/** Whether the settings cover the namespace of a Gateway or a route; without a list they cover all. */
export function coversNamespace({ spec }: TunnelGatewayClassConfig, namespace: string | undefined): boolean {
  const { watchNamespaces = [] } = spec;
  return watchNamespaces.length === 0 || watchNamespaces.includes(namespace ?? '');
}
