import type { Service } from '../../refs/builtin-kinds.ts';
import { canonicalHost } from '../../refs/canonical-host.ts';
import { caPoolPath } from '../../refs/origin-request.ts';
import { hostnameProblem, pathProblem, serviceProblem } from '../../refs/tunnels/check-rule.ts';
import type { TunnelConfigurationRule } from '../../targets/tunnel-configuration/contract.ts';
import type { BindingSubject } from './resource.ts';

export type Bound = {
  readonly rule: TunnelConfigurationRule & { readonly hostname: string };
  /** What was not as it should be, though the rule stands. */
  readonly problem?: string;
};

export type BoundResult =
  | { readonly ok: true; readonly value: Bound }
  | { readonly ok: false; readonly message: string };

export type SubjectContext = {
  readonly namespace: string;
  /** Of the tunnel; for subjects without a name of their own. */
  readonly domain: string | undefined;
  readonly service: Service | undefined;
};

/** The rule of one subject. What cloudflared would refuse is refused here, by the name of the field. */
export function bindSubject({ name, spec }: BindingSubject, context: SubjectContext): BoundResult {
  const { domain } = context;
  if (!spec.fqdn && !domain) return bad('spec.fqdn: must be given, for the tunnel has no domain');
  const hostname = canonicalHost(spec.fqdn || `${name}.${domain ?? ''}`);
  const { service, problem } = spec.target ? { service: spec.target } : toService(name, spec.protocol, context);
  const wrong =
    named('spec.fqdn', hostnameProblem(hostname)) ??
    named('spec.path', spec.path ? pathProblem(spec.path) : undefined) ??
    named('spec.target', serviceProblem(service));
  if (wrong !== undefined) return bad(wrong);
  const options = toOptions(spec);
  const rule = {
    hostname,
    ...(spec.path && { path: spec.path }),
    service,
    ...(Object.keys(options).length > 0 && { originRequest: options }),
  };
  return { ok: true, value: { rule, ...(problem !== undefined && { problem }) } };
}

const protocols = new Set(['http', 'https', 'rdp', 'smb', 'ssh', 'tcp', 'udp']);
const byPort: Readonly<Record<number, string>> = { 22: 'ssh', 139: 'smb', 445: 'smb', 443: 'https', 3389: 'rdp' };

type Answered = { readonly service: string; readonly problem?: string };

/** The first port of the Service, spoken to as the subject says or as the port tells. */
function toService(name: string, protocol: string | undefined, { namespace, service }: SubjectContext): Answered {
  const [port] = service?.spec?.ports ?? [];
  if (!service) return { service: 'http_status:404', problem: `Service ${namespace}/${name} is not there` };
  if (!port) return { service: 'http_status:404', problem: `Service ${namespace}/${name} has no port` };
  const isKnown = protocol === undefined || protocol === '' || protocols.has(protocol);
  const detected = port.protocol === 'UDP' ? 'udp' : (byPort[port.port] ?? 'http');
  const scheme = protocol && isKnown ? protocol : detected;
  return {
    service: `${scheme}://${name}.${namespace}.svc:${port.port}`,
    ...(!isKnown && { problem: `spec.protocol: "${protocol}" is not known, ${detected} is used` }),
  };
}

function toOptions(spec: BindingSubject['spec']): Readonly<Record<string, string | number | boolean>> {
  const hasProxy = spec.proxyPort !== 0 || spec.proxyType !== '';
  return {
    ...(spec.noTlsVerify && { noTLSVerify: true }),
    ...(spec.http2Origin && { http2Origin: true }),
    ...(spec.caPool && { caPool: caPoolPath(spec.caPool) }),
    ...(hasProxy && { proxyAddress: spec.proxyAddress, proxyPort: spec.proxyPort, proxyType: spec.proxyType }),
  };
}

function named(field: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${field}: ${problem}`;
}

function bad(message: string): Extract<BoundResult, { readonly ok: false }> {
  return { ok: false, message };
}
