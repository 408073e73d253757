import { labels } from '../contract/keys.ts';

type Expression = {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
};

/** From which nodes a volume can be reached, as far as it is looked into. */
export type VolumeNodeAffinity = {
  readonly required?: { readonly nodeSelectorTerms: readonly { readonly matchExpressions?: readonly Expression[] }[] };
};

/**
 * The same nodes in P's words. A virtual node carries the labels of its physical one but for the hostname, which is its own: a volume that
 * is tied to it would be out of reach for every node of P.
 */
export function translateNodeAffinity(
  affinity: VolumeNodeAffinity,
  toPhysicalHost: (vnode: string) => string | undefined,
): VolumeNodeAffinity {
  const { required } = affinity;
  if (!required) return affinity;
  const translate = (expression: Expression): Expression =>
    expression.key === labels.hostname && expression.values
      ? { ...expression, values: expression.values.map((value) => toPhysicalHost(value) ?? value) }
      : expression;
  const nodeSelectorTerms = required.nodeSelectorTerms.map(({ matchExpressions, ...term }) => ({
    ...term,
    ...(matchExpressions && { matchExpressions: matchExpressions.map(translate) }),
  }));
  return { ...affinity, required: { ...required, nodeSelectorTerms } };
}
