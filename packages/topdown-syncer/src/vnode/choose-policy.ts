import type { Node } from '../contract/cluster-kinds.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { selectsNode } from './node-selector.ts';

/** The policy that lends this node to the binding: of several the oldest. One that is being deleted lends nothing any more. */
export function choosePolicy(
  policies: readonly ResourceLeasingPolicy[],
  node: Node,
  bindingName: string,
): ResourceLeasingPolicy | undefined {
  const [first] = policies
    .filter(({ metadata, spec }) => spec.cluster === bindingName && metadata.deletionTimestamp === undefined)
    .filter(({ spec }) => selectsNode(spec.nodeSelector, node))
    .toSorted(byAge);
  return first;
}

function byAge({ metadata: left }: ResourceLeasingPolicy, { metadata: right }: ResourceLeasingPolicy): number {
  const [made, other] = [left.creationTimestamp ?? '', right.creationTimestamp ?? ''];
  if (made !== other) return made < other ? -1 : 1;
  return (left.name ?? '') < (right.name ?? '') ? -1 : 1;
}

/** As `night(cpu=4/50%,memory=/80%)`. */
export function describePolicy({ metadata: { name = '' }, spec }: ResourceLeasingPolicy): string {
  const limits = (spec.resourceLimits ?? []).map(
    ({ resource, quantity = '', percent }) => `${resource}=${quantity}/${percent === undefined ? '' : `${percent}%`}`,
  );
  return limits.length === 0 ? name : `${name}(${limits.join(',')})`;
}
