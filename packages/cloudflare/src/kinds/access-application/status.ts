import type { Refs, View } from '../../engine/l2-controllers/contributor.ts';
import { accessPolicyOf } from '../../refs/access/access-policy-of.ts';
import type { AccessRef } from '../../refs/access/access-refs.ts';
import type { ResolvedPolicies } from './resolve-policies.ts';

/** What has become of the application and of each of its policies. */
export function toStatus(view: View, policies: ResolvedPolicies, refs: Refs): Readonly<Record<string, unknown>> {
  const { aud, domain, selfHostedDomains, saasAppClientId, policyIds } = view.parts[0]?.outputs ?? {};
  if (view.losses.length > 0) return {};
  const ids = JSON.parse(policyIds ?? '{}') as Readonly<Record<string, string>>;
  return {
    // What another type of application has not goes with it.
    ...(aud && {
      aud,
      domain,
      selfHostedDomains: selfHostedDomains && (JSON.parse(selfHostedDomains) as string[]),
      saasAppClientId,
    }),
    resolvedPolicies: policies.own.map(({ precedence, name, decision, group }) => ({
      precedence,
      ...(ids[name] && { policyId: ids[name] }),
      ...group,
      decision,
    })),
    resolvedReusablePolicies: policies.shared.map(({ id, precedence, ref }) => {
      const known = ref.name ? accessPolicyOf(refs, ref.name) : undefined;
      const policyName = ref.cloudflareName || known?.spec.name || ref.name;
      return {
        policyId: id,
        ...(policyName && { policyName }),
        source: sourceOf(ref),
        precedence,
        ...(known && { decision: known.spec.decision }),
      };
    }),
  };
}

function sourceOf({ cloudflareId, cloudflareName }: AccessRef): string {
  if (cloudflareId) return 'cloudflareId';
  return cloudflareName ? 'cloudflareName' : 'k8s';
}
