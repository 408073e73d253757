import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Child, Notice, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { dnsRecordKind } from '../../refs/dns-record-kind.ts';
import { ingressClassKind, ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import type { Ingress } from '../../refs/ingress/ingress-kinds.ts';
import { labelValue } from '../../refs/tunnels/cloudflared-deployment.ts';
import { ruleNotices, warning } from '../../refs/tunnels/rule-notices.ts';
import { tunnelReads } from '../../refs/tunnels/tunnel-reads.ts';
import { fatesOfRecords, recordChildren } from '../../refs/tunnels/record-children.ts';
import { tunnelHost } from '../../refs/tunnels/tunnel-host.ts';
import { tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import { finalizer, isOurs, resolveIngress } from './resolve.ts';
import type { ResolvedIngress } from './resolve.ts';
import { hostsOf } from './rules.ts';

/** Says which hosts and paths went to another object, and to which. */
const lostAnnotation = 'cloudflare-operator.io/lost-rules';
/** Says which hosts have no record, and why: an Ingress has no condition that could, and Events pass. */
const dnsAnnotation = 'cloudflare-operator.io/dns-problems';

export const ingressContributor = defineContributor<Ingress, ResolvedIngress>({
  kind: ingressKind,
  finalizer,
  ready: false,
  reads: [ingressClassKind, serviceKind, ...tunnelReads],
  childKinds: [dnsRecordKind],
  selects: isOurs,
  resolve: resolveIngress,
  contribute: (_ingress, { tunnel, rules, priority, records }) => {
    const { accountId, tunnelId, credentials } = tunnel;
    const key = { accountId, tunnelId };
    const options = { credentials, priority };
    const ofTunnel = contribution(tunnelConfigurationContract, key, { rules: [...rules] }, options);
    return [...(rules.length > 0 ? [ofTunnel] : []), ...records];
  },
  children: (ingress, resolved) => toDnsRecords(ingress, resolved),
  status: ({ status }, view, _refs, _now, resolved) => ({
    loadBalancer: { ingress: addressesOf(status?.loadBalancer?.ingress ?? [], view, resolved) },
  }),
  annotations: (_ingress, view, resolved) => ({
    ...(resolved && { [dnsAnnotation]: dnsProblems(resolved, view).join('; ') || undefined }),
    [lostAnnotation]: view.losses.map(({ what, winner }) => `${what} → ${sourceId(winner)}`).join('; ') || undefined,
  }),
  events: noticesOf,
});

type Address = { readonly hostname?: string; readonly ip?: string };

/**
 * Shown when the tunnel has the rules and, where the records are ours to make, one of the hosts leads there. While a change
 * is on its way the former address still holds; where no host can have a record there is none.
 */
function addressesOf(shown: readonly Address[], view: View, resolved: ResolvedIngress | undefined): readonly Address[] {
  const { parts } = view;
  const ofType = (type: string): View['parts'] =>
    parts.filter(({ contribution: { syncState } }) => syncState.resourceType === type);
  const [part] = ofType('TunnelConfiguration');
  if (!part) return [];
  const records = ofType('DNSRecord');
  const dnsPending = resolved?.dnsPending ?? false;
  if (records.length === 0 && !dnsPending && (resolved?.problems.dns.length ?? 0) > 0) return [];
  const address = { hostname: tunnelHost(part.contribution.syncState.key['tunnelId'] ?? '') };
  const leadsHere = ({ synced, outputs }: View['parts'][number]): boolean =>
    synced && outputs['content'] === address.hostname;
  const hasObjects = (resolved?.recordHosts.length ?? 0) > 0;
  const leadsElsewise = hasObjects ? fatesOfRecords(view).someLead : !dnsPending;
  const leads = records.length > 0 ? records.some(leadsHere) : leadsElsewise;
  return (part.synced && leads) || shown.some(({ hostname }) => hostname === address.hostname) ? [address] : [];
}

function dnsProblems({ problems }: ResolvedIngress, view: View): readonly string[] {
  return [...problems.dns, ...fatesOfRecords(view).problems];
}

function toDnsRecords(ingress: Ingress, resolved: ResolvedIngress): readonly Child[] {
  const { recordHosts, tunnel, proxied, priority } = resolved;
  const labels = {
    'cloudflare.com/managed-by': 'cloudflare-operator-ingress',
    'cloudflare.com/ingress-name': labelValue(ingress.metadata.name ?? ''),
  };
  const hosts = recordHosts.map((host) => ({ host, proxied }));
  return recordChildren(ingress, { hosts, tunnel, labels, priority });
}

function noticesOf(ingress: Ingress, resolved: ResolvedIngress, view: View): readonly Notice[] {
  const { problems, tunnel } = resolved;
  const wildcards = hostsOf(ingress).filter((host) => host.startsWith('*.'));
  return [
    ...ruleNotices(problems.annotations, view),
    ...problems.backends.map((problem) => warning('BackendNotFound', `${problem}; it answers 503`)),
    ...dnsProblems(resolved, view).map((problem) => warning('DNSError', problem)),
    ...wildcards.map((host): Notice => {
      const message = `tunnel ${tunnel.tunnelName} serves ${host} at every depth; an Ingress means one label only`;
      return { type: 'Normal', reason: 'WildcardHost', message };
    }),
  ];
}
