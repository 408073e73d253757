import { acceptanceOfPods } from './acceptance-of-pods.ts';
import type { Line } from './acceptance-line.ts';

const pods = 'engine/decide-pod.test.ts';
const copies = 'engine/decide-copy.test.ts';
const updates = 'pod-updates.test.ts';
const stamps = 'engine/virtual-stamp.test.ts';
const tokens = 'tokens-down.test.ts';
const status = 'up/pod-status-controller.test.ts';
const vnodes = 'vnode/vnode-controller.test.ts';
const names = 'contract/names.test.ts';

export const acceptance: Readonly<Record<string, readonly Line[]>> = {
  ...acceptanceOfPods,
  dependencies: [
    { line: 'unmanaged', in: copies, test: 'nobody names it: nothing' },
    { line: 'of another cluster', in: stamps, test: 'that another binding holds is not held by us' },
    {
      line: 'P copy of another',
      in: copies,
      test: 'a stranger holds the name: conflict',
    },
    { line: 'no physical-name', in: copies, test: 'something of the stamp is missing: stamped again', differs: 'W3' },
    { line: 'deleting', in: copies, test: 'released, our copy: deleted' },
    {
      line: 'P copy missing',
      in: copies,
      test: 'held, and the copy was lost: created, whether a pod names it now or not',
    },
    { line: 'in sync, out of sync', in: 'down/copies.test.ts', test: 'is patched where it differs' },
    { line: 'PVC not bound, or without a volume', in: 'down/copies.test.ts', test: 'must be bound, to a volume' },
    {
      line: 'PV with a CSI Secret',
      in: 'storage-down.test.ts',
      test: 'W16: every Secret of its volume is copied where the driver looks for it',
      differs: 'W16',
    },
    {
      line: 'missing CSI Secret is an error',
      in: 'storage-down.test.ts',
      test: 'waits for a Secret of its volume that is not there, says so, and goes on when it comes',
    },
    { line: 'missing PV is an error', in: 'engine/dependencies.test.ts', test: 'a volume that is not there' },
    { line: 'PV physical-namespace empty', in: stamps, test: "the namespace of a volume's copy is there and empty" },
    {
      line: 'conflicting physical-name',
      in: stamps,
      test: 'W3: a physical name that a user set is overwritten',
      differs: 'W3',
    },
    { line: 'label, finalizer, annotation or used-by-pv missing', in: stamps, test: 'without ${name} is given it' },
    { line: 'all present: no write', in: stamps, test: 'with everything on it is not written' },
    { line: 'last cluster finalizer', in: stamps, test: 'is let go by the last binding without a trace' },
    {
      line: 'non-last cluster finalizer',
      in: stamps,
      test: 'W7: is let go by one of several bindings with what the others need left on it',
      differs: 'W7',
    },
    { line: 'AlreadyExists is fine', in: 'crash.test.ts', test: 'one pod runs, and everything goes in the end' },
    {
      line: 'P PVC or PV only being deleted: V goes at once',
      in: copies,
      test: 'released, the copy is going already: let go at once',
    },
  ],
  tokens: [
    { line: 'create', in: tokens, test: 'is asked of V for the pod and mounted from a Secret of P' },
    {
      line: 'update, same',
      in: tokens,
      test: 'W11: of ten minutes is refreshed before it ends, and one that is not due is never written',
      differs: 'W11',
    },
    { line: 'missing while refreshed', in: tokens, test: 'W11: whose Secret vanished is made again', differs: 'W11' },
    { line: 'secret name vector', in: names, test: 'the Secret of a token is named after pod, volume and UID' },
    { line: 'refresh and expiry', in: 'down/token-life.test.ts', test: 'after four fifths of its life' },
    { line: 'cleanup', in: tokens, test: 'goes with its pod: one request more in P' },
    {
      line: 'one for each source',
      in: tokens,
      test: 'W11: two tokens of one volume are two keys of its Secret',
      differs: 'W11',
    },
  ],
  'bottom-up': [
    { line: 'unmanaged ignored', in: 'contract/claim.test.ts', test: 'without the label no syncer made it' },
    {
      line: 'missing annotation: deleted',
      in: pods,
      test: 'W2: no pod in V, unmarked in P: reported, not deleted',
      differs: 'W1',
    },
    { line: 'missing V: deleted', in: pods, test: 'no pod in V, ours in P: it goes' },
    { line: 'UID mismatch: deleted', in: pods, test: 'the copy of a predecessor goes' },
    {
      line: 'wrong back-pointer: deleted',
      in: pods,
      test: 'an unmarked copy of another pod is a conflict',
      differs: 'W1',
    },
    {
      line: 'old V labels and annotations dropped',
      in: status,
      test: 'keeps labels and annotations that its owner gave it (W6)',
      differs: 'W6',
    },
    {
      line: 'P labels show up in V',
      in: updates,
      test: 'labels and annotations follow, in one write; what P has of its own stays',
      differs: 'W6',
    },
    {
      line: 'PodScheduled of V wins',
      in: 'up/pod-conditions.test.ts',
      test: 'PodScheduled of the virtual cluster wins and stays first',
    },
    {
      line: 'token Secrets only of the usual volumes with the label',
      in: tokens,
      test: 'of another virtual cluster, or without a mark, is never collected',
      differs: 'W1',
    },
  ],
  nodes: [
    { line: 'selector change', in: vnodes, test: 'when the binding selects others, and comes back with it' },
    { line: 'policy removed', in: vnodes, test: 'when the policy is removed' },
    {
      line: 'P node deleted, taint first',
      in: vnodes,
      test: 'when the physical node is removed: tainted first, then deleted',
    },
    {
      line: 'labels, annotations and taints of users kept',
      in: vnodes,
      test: 'labels, annotations and taints that users add are kept',
    },
    {
      line: 'lease created',
      in: 'vnode/node-leases.test.ts',
      test: 'a virtual node has a lease like that of a kubelet',
    },
    {
      line: 'lease renewed',
      in: 'vnode/node-leases.test.ts',
      test: 'the lease is renewed every ten seconds, by one request',
    },
    {
      line: 'lease paused when NotReady',
      in: 'vnode/node-leases.test.ts',
      test: 'a kubelet that is not ready is alive: V sees its word, and does not change it back and forth',
      differs: 'W4',
    },
    {
      line: 'resources follow pods',
      in: vnodes,
      test: 'are what the pods of others leave, written once for a crowd of them',
    },
    { line: 'limits by quantity, percent, both', in: vnodes, test: 'are limited by quantity, by share, and by both' },
    { line: 'earliest policy wins', in: vnodes, test: 'follow the earliest policy' },
    { line: 'window taint: effect without force', in: 'vnode/policy-choice.test.ts', test: 'a node takes nothing new' },
    {
      line: 'window taint: effect by force',
      in: 'vnode/policy-choice.test.ts',
      test: 'a node is emptied at once, by force without grace',
    },
    { line: 'window taint: timeAdded', in: 'vnode/policy-choice.test.ts', test: 'the time of the taint stays' },
    {
      line: 'UID mismatch',
      in: vnodes,
      test: 'when the physical node was replaced, and a new one is made for the new machine',
    },
    { line: 'recovery after the deletion taint', in: vnodes, test: 'by hand, and is made again' },
  ],
  'end of a binding': [
    {
      line: 'shared and per-pod resources, tokens and fake pods removed, V metadata clean',
      in: 'binding/binding-controller.test.ts',
      test: 'leaves both sides clean: no node, pod, copy, token, finalizer, label or annotation of ours',
    },
    {
      line: 'orphan managed P objects block',
      in: 'binding/binding-controller.test.ts',
      test: "waits for what is ours in P, and not for what is another one's (W1)",
      differs: 'W1',
    },
  ],
};
