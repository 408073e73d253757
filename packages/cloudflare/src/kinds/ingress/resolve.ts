import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { priorities, sourceId } from '../../engine/l4-state/source.ts';
import type { TunnelIngressClassConfig } from '../../refs/ingress/class-of.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { classOf, configOf, coversNamespace } from '../../refs/ingress/class-of.ts';
import type { Ingress } from '../../refs/ingress/ingress-kinds.ts';
import { toOriginRequest } from '../../refs/origin-request.ts';
import { tunnelOf } from '../../refs/tunnel-of.ts';
import type { TunnelFound } from '../../refs/tunnel-of.ts';
import { recordsOf } from '../../refs/tunnels/tunnel-records.ts';
import type { TunnelConfigurationRule } from '../../targets/tunnel-configuration/contract.ts';
import { readAnnotations } from '../../refs/origins/annotations.ts';
import type { OriginWishes } from '../../refs/origins/annotations.ts';
import { hostsOf, toRules } from './rules.ts';

export type ResolvedIngress = {
  readonly tunnel: TunnelFound;
  readonly rules: readonly TunnelConfigurationRule[];
  readonly priority: number;
  /** Records that are made at Cloudflare. */
  readonly records: readonly Contribution[];
  /** Records may still follow: the zone of a host is being looked up. */
  readonly dnsPending: boolean;
  /** Hosts that get a DNSRecord of the cluster. */
  readonly recordHosts: readonly string[];
  readonly proxied: boolean;
  /** `dns` names hosts that no zone was found for. */
  readonly problems: Readonly<Record<'annotations' | 'backends' | 'dns', readonly string[]>>;
};

/** Whether the Ingress is ours: by its class, and by the namespaces that the class is for. */
export function isOurs(ingress: Ingress, refs: Refs): boolean {
  const claimed = classOf(ingress, refs);
  // A class that vanished is no wish to take everything down; resolving says what is missing.
  if (claimed.is === 'unknown') return claimed.name !== '' && hasOurFinalizer(ingress);
  if (claimed.is === 'foreign') return false;
  const found = configOf(claimed.class, refs);
  return !found.ok || coversNamespace(found.config, ingress.metadata.namespace);
}

export const finalizer = 'ingress.cloudflare-operator.io/finalizer';

function hasOurFinalizer({ metadata }: Ingress): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

export function resolveIngress(ingress: Ingress, refs: Refs): Resolution<ResolvedIngress> {
  const claimed = classOf(ingress, refs);
  if (claimed.is !== 'ours') {
    return broken('ClassNotFound', `IngressClass ${claimed.is === 'unknown' ? claimed.name : ''} is not there`);
  }
  const found = configOf(claimed.class, refs);
  if (!found.ok) return broken('ConfigError', found.message);
  const { config } = found;
  const tunnel = tunnelOf(refs, config.spec.tunnelRef, config.metadata.namespace ?? '');
  if (!tunnel.ok) return tunnel;
  const wishes = readAnnotations(ingress.metadata.annotations);
  const { rules, problems } = rulesOf(ingress, config, wishes, refs);
  const priority = wishes.priority ?? priorities.normal;
  const dns = dnsOf(ingress, config, tunnel.value, { ...wishes, priority }, refs);
  return {
    ok: true,
    value: {
      tunnel: tunnel.value,
      rules,
      priority,
      proxied: wishes.dnsProxied ?? config.spec.dnsProxied,
      records: dns.records,
      recordHosts: dns.hosts,
      dnsPending: dns.pending,
      problems: { annotations: wishes.problems, backends: problems, dns: dns.problems },
    },
  };
}

function rulesOf(
  ingress: Ingress,
  { spec }: TunnelIngressClassConfig,
  wishes: OriginWishes,
  refs: Refs,
): ReturnType<typeof toRules> {
  const classOptions = toOriginRequest(spec.defaultOriginRequest).value;
  const namespace = ingress.metadata.namespace ?? '';
  return toRules(ingress, { namespace, wishes, classDefault: spec.defaultProtocol, classOptions, refs });
}

type IngressDns = {
  readonly records: readonly Contribution[];
  readonly hosts: readonly string[];
  readonly problems: readonly string[];
  readonly pending: boolean;
};

function dnsOf(
  ingress: Ingress,
  { spec, metadata: { namespace } }: TunnelIngressClassConfig,
  tunnel: TunnelFound,
  wishes: OriginWishes & { readonly priority: number },
  refs: Refs,
): IngressDns {
  const { metadata } = ingress;
  const none: IngressDns = { records: [], hosts: [], problems: [], pending: false };
  const hosts = hostsOf(ingress);
  if (wishes.disableDns || spec.dnsManagement === 'Manual') return none;
  if (spec.dnsManagement === 'DNSRecord') return { ...none, hosts };
  const { kind, namespace: ofTunnel } = spec.tunnelRef;
  const question = {
    hosts,
    tunnel,
    tunnelNamespace: kind === 'Tunnel' ? ofTunnel || namespace : undefined,
    owner: sourceId({ kind: 'Ingress', namespace: metadata.namespace, name: metadata.name ?? '' }),
    proxied: wishes.dnsProxied ?? spec.dnsProxied,
    priority: wishes.priority,
    ...adoptWish(metadata),
  };
  const { records, problems, broken: unsolved } = recordsOf(question, refs);
  const pending = problems.length > unsolved.length;
  return { ...none, records: records.map(({ contribution }) => contribution), problems: unsolved, pending };
}

function broken(reason: string, message: string): Extract<Resolution<never>, { readonly ok: false }> {
  return { ok: false, state: 'broken', reason, message };
}
