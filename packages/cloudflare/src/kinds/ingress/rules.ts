import type { TunnelConfigurationRule } from '../../targets/tunnel-configuration/contract.ts';
import { toRulePath } from '../../targets/tunnel-configuration/contract.ts';
import type { OriginRequest } from '../../refs/origin-request.ts';
import { optionsOf } from '../../refs/origins/service-origin.ts';
import type { Ingress, IngressBackend } from '../../refs/ingress/ingress-kinds.ts';
import { originOf } from './backend.ts';
import type { BackendContext } from './backend.ts';

export type IngressRules = {
  readonly rules: readonly TunnelConfigurationRule[];
  /** Backends that nobody answers at. */
  readonly problems: readonly string[];
};

export type RuleContext = BackendContext & { readonly classOptions: OriginRequest };

/**
 * The rules of a tunnel that an Ingress means. A rule without a host is for every host of the tunnel; the default
 * backend, and a rule without host and path, answer what no rule of any Ingress matches.
 */
export function toRules({ spec }: Ingress, context: RuleContext): IngressRules {
  const problems: string[] = [];
  const toRule = (
    backend: IngressBackend,
    where: Pick<TunnelConfigurationRule, 'hostname' | 'path'>,
  ): TunnelConfigurationRule => {
    const { problem, ...origin } = originOf(backend, context);
    if (problem !== undefined) problems.push(problem);
    const options = optionsOf(origin, context.classOptions, context.wishes.originRequest);
    return { ...where, service: origin.service, ...(Object.keys(options).length > 0 && { originRequest: options }) };
  };
  const { rules = [], defaultBackend } = spec ?? {};
  const fromRules = rules.flatMap(({ host, http }) => {
    const hostname = host ? { hostname: host.toLowerCase() } : {};
    const paths = http?.paths ?? [];
    // A host without paths is one whose every request goes to the default backend.
    if (paths.length === 0) return host && defaultBackend ? [toRule(defaultBackend, hostname)] : [];
    return paths.map(({ path, pathType, backend }) => {
      const expression = toRulePath(path, pathType);
      return toRule(backend, { ...hostname, ...(expression !== undefined && { path: expression }) });
    });
  });
  const last = defaultBackend ? [toRule(defaultBackend, {})] : [];
  return { rules: [...fromRules, ...last], problems: [...new Set(problems)] };
}

/** The names that an Ingress wants to be found by: those of its rules and those of its certificates. */
export function hostsOf({ spec }: Ingress): readonly string[] {
  const named = [
    ...(spec?.rules ?? []).map(({ host }) => host),
    ...(spec?.tls ?? []).flatMap(({ hosts }) => hosts ?? []),
  ];
  return [...new Set(named.filter((host): host is string => Boolean(host)).map((host) => host.toLowerCase()))];
}
