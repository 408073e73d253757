import type { Node } from '../contract/cluster-kinds.ts';
import { labels } from '../contract/keys.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import type { BindingFacts } from '../sides.ts';
import { selectsNode } from './node-selector.ts';

export type FateInputs = {
  readonly node: Node | undefined;
  readonly vnode: Node | undefined;
  readonly policy: ResourceLeasingPolicy | undefined;
  readonly binding: Pick<BindingFacts, 'deleting' | 'nodeSelector'>;
};

export type Fate =
  | { readonly kind: 'keep'; readonly node: Node; readonly policy: ResourceLeasingPolicy }
  /** There is none, and there shall be none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'give-up'; readonly vnode: Node; readonly why: string };

/** Nodes that are themselves virtual, here or of other clouds: they are not lent out again. */
const virtualTypes: ReadonlySet<string> = new Set(['external', 'vnode', 'eklet']);

export function isVirtual({ metadata }: Node): boolean {
  const found = metadata.labels ?? {};
  const types = [found[labels.instanceType], found[labels.betaInstanceType]];
  return (
    found[labels.nodeType] === 'virtual-kubelet' || types.some((type) => type !== undefined && virtualTypes.has(type))
  );
}

/** Whether a physical node has a virtual one, and why not. */
export function judgeVnode(inputs: FateInputs): Fate {
  const { node, vnode, policy } = inputs;
  const why = whyNot(inputs);
  if (why === undefined && node && policy) return { kind: 'keep', node, policy };
  return vnode ? { kind: 'give-up', vnode, why: why ?? 'there is no policy' } : { kind: 'none' };
}

function whyNot({ node, vnode, policy, binding }: FateInputs): string | undefined {
  if (binding.deleting) return 'the ClusterBinding is being deleted';
  if (!node) return 'the physical node is gone';
  if (node.metadata.deletionTimestamp !== undefined) return 'the physical node is being deleted';
  if (isVirtual(node)) return 'the physical node is a virtual one itself';
  if (!selectsNode(binding.nodeSelector, node)) return 'the ClusterBinding does not select the node';
  if (!policy) return 'no ResourceLeasingPolicy lends the node';
  if (!vnode) return undefined;
  if (vnode.metadata.deletionTimestamp !== undefined) return 'the virtual node is being deleted';
  // Another machine under the same name: what ran on the old one does not run here.
  if (vnode.metadata.labels?.[labels.physicalNodeUid] !== node.metadata.uid) return 'the physical node was replaced';
  return undefined;
}
