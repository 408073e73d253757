import { metadataPatch } from '@tributary/runtime';
import { nodeKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { labels } from '../contract/keys.ts';
import { toLabelValue } from '../contract/names.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import type { Sides } from '../sides.ts';
import { unlessGone } from './unless-gone.ts';

/**
 * Shows on the physical node which policy lends it. What another binding's policy has written there is left alone, or two syncers
 * would write in turns for ever.
 */
export async function markPhysicalNode(
  node: Node,
  policy: ResourceLeasingPolicy | undefined,
  policies: readonly ResourceLeasingPolicy[],
  sides: Pick<Sides, 'physical' | 'binding'>,
  signal: AbortSignal,
): Promise<void> {
  const wanted = labelAfter(node.metadata.labels?.[labels.policyApplied], policy, policies, sides.binding().name);
  const patch = metadataPatch(node, { labels: { [labels.policyApplied]: wanted ?? null } });
  const ref = { name: node.metadata.name ?? '' };
  if (patch) await unlessGone(sides.physical.client.patch(nodeKind, ref, patch, { signal }));
}

/** What the label shall be, undefined for none. */
export function labelAfter(
  current: string | undefined,
  policy: ResourceLeasingPolicy | undefined,
  policies: readonly ResourceLeasingPolicy[],
  bindingName: string,
): string | undefined {
  const holder = policies.find(
    ({ metadata }) => current !== undefined && toLabelValue(metadata.name ?? '') === current,
  );
  if (holder && holder.spec.cluster !== bindingName) return current;
  return policy && toLabelValue(policy.metadata.name ?? '');
}
