import { defineKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Contributor, Notice, Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { priorities, sourceId } from '../../engine/l4-state/source.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { tunnelOf } from '../../refs/tunnel-of.ts';
import type { TunnelFound } from '../../refs/tunnel-of.ts';
import { tunnelReads } from '../../refs/tunnels/tunnel-reads.ts';
import { recordsOf } from '../../refs/tunnels/tunnel-records.ts';
import { tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import { bindSubject } from './bind-subject.ts';
import type { Bound } from './bind-subject.ts';
import { registryRecords } from './registry-records.ts';
import { tunnelBindingKind } from './resource.ts';
import type { TunnelBinding } from './resource.ts';

export type TunnelBindingOptions = {
  /** Take over a CNAME that no operator has made. */
  readonly overwriteUnmanagedDns?: boolean;
};

export type ResolvedBinding = {
  readonly tunnel: TunnelFound;
  readonly bound: readonly Bound[];
  readonly records: readonly Contribution[];
  readonly problems: readonly string[];
};

const { group, version, kind, plural, scope } = tunnelBindingKind;

export function defineTunnelBindingContributor(
  options: TunnelBindingOptions = {},
): Contributor<TunnelBinding, ResolvedBinding> {
  return defineContributor<TunnelBinding, ResolvedBinding>({
    // Without its checker, which knows of a spec; the fields are checked when they are resolved.
    kind: defineKind<TunnelBinding>({ group, version, kind, plural, scope }),
    finalizer: 'tunnelbinding.cloudflare-operator.io/finalizer',
    formerFinalizers: ['cloudflare-operator.io/finalizer'],
    ready: false,
    reads: [serviceKind, ...tunnelReads],
    resolve: (binding, refs) => resolve(binding, options, refs),
    contribute: ({ priority = priorities.high }, { tunnel, bound, records }) => {
      const { accountId, tunnelId, credentials } = tunnel;
      const config = { rules: bound.map(({ rule }) => rule) };
      const named = { credentials, priority };
      return [contribution(tunnelConfigurationContract, { accountId, tunnelId }, config, named), ...records];
    },
    status: (binding, _view, refs) => {
      const resolved = resolve(binding, options, refs);
      if (!resolved.ok) return { hostnames: binding.status?.hostnames ?? '', services: binding.status?.services ?? [] };
      const services = resolved.value.bound.map(({ rule }) => ({ hostname: rule.hostname, target: rule.service }));
      return { hostnames: services.map(({ hostname }) => hostname).join(','), services };
    },
    events: (_binding, { problems }, { losses, state, ready }) => [
      deprecated,
      ...(state === 'Error' ? [{ type: 'Warning', reason: ready.reason, message: ready.message } as const] : []),
      ...problems.map((message): Notice => ({ type: 'Warning', reason: 'ErrBuildConfig', message })),
      ...losses.map(({ what, winner, reason }): Notice => ({
        type: 'Warning',
        reason: 'RuleConflict',
        message: `${what} goes to ${sourceId(winner)}: ${reason}`,
      })),
    ],
  });
}

export const tunnelBindingContributor = defineTunnelBindingContributor();

const overwriting = { adopt: true, respectRegistry: true } as const;

const deprecated: Notice = {
  type: 'Warning',
  reason: 'Deprecated',
  message: 'TunnelBinding is deprecated: use an Ingress with a TunnelIngressClassConfig',
};

function resolve(given: TunnelBinding, options: TunnelBindingOptions, refs: Refs): Resolution<ResolvedBinding> {
  const checked = tunnelBindingKind.parseObject(given);
  if (!checked.ok) return invalid(checked.message);
  const { subjects, tunnelRef, metadata } = checked.value;
  const namespace = metadata.namespace ?? '';
  const tunnel = tunnelOf(refs, tunnelRef, namespace);
  if (!tunnel.ok) return tunnel;
  const domain = tunnel.value.cloudflare.domain || tunnel.value.defaultDomain;
  const bound: Bound[] = [];
  for (const [index, subject] of subjects.entries()) {
    if (subject.kind !== 'Service') return invalid(`subjects[${index}].kind: must be Service`);
    const service = refs.get(serviceKind, { namespace, name: subject.name });
    const result = bindSubject(subject, { namespace, domain, service });
    if (!result.ok) return invalid(`subjects[${index}].${result.message}`);
    bound.push(result.value);
  }
  const dns = tunnelRef.disableDNSUpdates ? undefined : dnsOf(checked.value, bound, tunnel.value, options, refs);
  const problems = [...bound.flatMap(({ problem }) => problem ?? []), ...(dns?.problems ?? [])];
  return { ok: true, value: { tunnel: tunnel.value, bound, records: dns?.records ?? [], problems } };
}

function dnsOf(
  { metadata, tunnelRef, priority = priorities.high }: TunnelBinding,
  bound: readonly Bound[],
  tunnel: TunnelFound,
  { overwriteUnmanagedDns }: TunnelBindingOptions,
  refs: Refs,
): Pick<ResolvedBinding, 'records' | 'problems'> {
  const { namespace, name = '' } = metadata;
  const asked = adoptWish(metadata).adopt;
  // The operator's own leave ends at what another operator has registered; that of the object does not.
  const adoption = asked ? { adopt: asked } : overwriteUnmanagedDns ? overwriting : {};
  const question = {
    hosts: [...new Set(bound.map(({ rule }) => rule.hostname))],
    tunnel,
    tunnelNamespace: tunnelRef.kind === 'Tunnel' ? namespace : undefined,
    owner: sourceId({ kind: 'TunnelBinding', namespace, name }),
    proxied: true,
    priority,
    ...adoption,
  } as const;
  const { records, problems } = recordsOf(question, refs);
  const registry = registryRecords(records, question, refs);
  return { records: [...records.map(({ contribution: cname }) => cname), ...registry], problems };
}

function invalid(message: string): Extract<Resolution<never>, { readonly ok: false }> {
  return { ok: false, state: 'broken', reason: 'InvalidSpec', message };
}
