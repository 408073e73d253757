import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { attachedRoutes } from '../../refs/gateway/accept-route.ts';
import type { AttachedRoute } from '../../refs/gateway/accept-route.ts';
import { claimOf } from '../../refs/gateway/claim-gateway.ts';
import type { TunnelGatewayClassConfig } from '../../refs/gateway/claim-gateway.ts';
import type { Gateway } from '../../refs/gateway/gateway-kinds.ts';
import { annotationPrefix } from '../../refs/gateway/route-contributions.ts';
import { readAnnotations } from '../../refs/origins/annotations.ts';
import type { OriginWishes } from '../../refs/origins/annotations.ts';
import { resolveClass } from '../../refs/resolve-class.ts';
import type { TunnelFound } from '../../refs/tunnel-of.ts';
import { serviceProblem } from '../../refs/tunnels/check-rule.ts';
import type { RecordHost } from '../../refs/tunnels/record-children.ts';
import { tunnelHost } from '../../refs/tunnels/tunnel-host.ts';
import { recordsOf } from '../../refs/tunnels/tunnel-records.ts';
import { priorities } from '../../engine/l4-state/source.ts';

export const finalizer = 'gateway.cloudflare-operator.io/finalizer';

export type ResolvedGateway = {
  readonly config: TunnelGatewayClassConfig;
  readonly tunnel: TunnelFound;
  readonly wishes: OriginWishes;
  readonly priority: number;
  /** Records that are made at Cloudflare, and hosts that get a DNSRecord of the cluster. */
  readonly records: readonly Contribution[];
  readonly recordHosts: readonly RecordHost[];
  readonly dnsProblems: readonly string[];
};

/** A class that vanished is no wish to take everything down; resolving says what is missing. */
export function isOurs(gateway: Gateway, refs: Refs): boolean {
  const { is } = claimOf(gateway, refs);
  return is === 'ours' || (is === 'unknown' && (gateway.metadata.finalizers?.includes(finalizer) ?? false));
}

export function resolveGateway(gateway: Gateway, refs: Refs): Resolution<ResolvedGateway> {
  const claim = claimOf(gateway, refs);
  if (claim.is !== 'ours')
    return broken('Pending', `GatewayClass ${gateway.spec?.gatewayClassName ?? ''} is not there`);
  const { settings } = claim;
  if (!settings.ok) return broken('InvalidParameters', settings.message);
  const { config } = settings;
  const wrong = serviceProblem(config.spec.fallbackTarget);
  if (wrong !== undefined) return broken('InvalidParameters', `spec.fallbackTarget of its class: ${wrong}`);
  const tunnel = resolveClass(config, refs);
  if (!tunnel.ok)
    return tunnel.state === 'waiting' ? { ...tunnel, reason: 'Pending' } : broken('InvalidParameters', tunnel.message);
  const problem = problemOf(gateway, tunnel.value);
  if (problem) return problem;
  const wishes = readAnnotations(gateway.metadata.annotations, annotationPrefix);
  const priority = wishes.priority ?? priorities.normal;
  const hosts = dnsHosts(attachedRoutes(gateway, settings, refs), wishes, config);
  const found = { config, tunnel: tunnel.value, wishes, priority };
  const none = { records: [], recordHosts: [], dnsProblems: [] };
  const { dnsManagement } = config.spec;
  if (dnsManagement === 'Automatic') return withRecords(gateway, found, hosts, refs);
  return { ok: true, value: { ...found, ...none, recordHosts: dnsManagement === 'DNSRecord' ? hosts : [] } };
}

/** What a Gateway may ask of other implementations, but not of a tunnel. */
function problemOf({ spec }: Gateway, { tunnelId }: TunnelFound): ReturnType<typeof broken> | undefined {
  const address = tunnelHost(tunnelId);
  const other = (spec?.addresses ?? []).find(({ type, value }) => type !== 'Hostname' || (value && value !== address));
  if (other) return broken('UnsupportedAddress', `spec.addresses: a tunnel has the one address ${address}`);
  if (spec?.infrastructure?.parametersRef) {
    return broken('InvalidParameters', 'spec.infrastructure.parametersRef: settings belong to the GatewayClass');
  }
  if (spec?.tls ?? spec?.backendTLS) {
    return broken('Invalid', 'spec.tls: certificates of clients and origins are for the settings of the class');
  }
  return undefined;
}

/** A host gets a record when a route has it; what the oldest of its routes says about DNS counts. */
function dnsHosts(
  attached: readonly AttachedRoute[],
  ofGateway: OriginWishes,
  { spec }: TunnelGatewayClassConfig,
): readonly RecordHost[] {
  const hosts = new Map<string, RecordHost>();
  if (ofGateway.disableDns) return [];
  for (const { route, at } of attached) {
    const { disableDns, dnsProxied } = readAnnotations(route.metadata.annotations, annotationPrefix);
    if (disableDns) continue;
    const proxied = dnsProxied ?? ofGateway.dnsProxied ?? spec.dnsProxied;
    for (const host of at.flatMap((each) => each.hosts)) {
      if (host !== undefined && !hosts.has(host)) hosts.set(host, { host, proxied });
    }
  }
  return [...hosts.values()].toSorted((a, b) => (a.host < b.host ? -1 : 1));
}

function withRecords(
  { metadata }: Gateway,
  found: Pick<ResolvedGateway, 'config' | 'tunnel' | 'wishes' | 'priority'>,
  hosts: readonly RecordHost[],
  refs: Refs,
): Resolution<ResolvedGateway> {
  const { config, tunnel, priority } = found;
  const { kind, namespace } = config.spec.tunnelRef;
  const answers = [true, false].map((proxied) =>
    recordsOf(
      {
        hosts: hosts.filter((each) => each.proxied === proxied).map(({ host }) => host),
        tunnel,
        tunnelNamespace: kind === 'Tunnel' ? namespace || config.metadata.namespace : undefined,
        owner: sourceId({ kind: 'Gateway', namespace: metadata.namespace, name: metadata.name ?? '' }),
        proxied,
        priority,
        ...adoptWish(metadata),
      },
      refs,
    ),
  );
  const records = answers.flatMap((answer) => answer.records.map(({ contribution }) => contribution));
  const dnsProblems = answers.flatMap(({ problems }) => problems);
  return { ok: true, value: { ...found, records, recordHosts: [], dnsProblems } };
}

function broken(reason: string, message: string): Extract<Resolution<never>, { readonly ok: false }> {
  return { ok: false, state: 'broken', reason, message };
}
