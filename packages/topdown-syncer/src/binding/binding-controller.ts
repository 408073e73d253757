// Serves the ClusterBinding itself: its finalizer, its end, and on request its status. The end comes in order, and each step only while both
// clusters can be seen whole: virtual nodes are emptied and go, then copies are given up, then the finalizer is.
import {
  addFinalizerPatch,
  createController,
  mergePatchBetween,
  recheck,
  removeFinalizerPatch,
} from '@tributary/runtime';
import { settled, toRef, keyOf, watch } from '@tributary/runtime';
import type { Outcome, Patch, ReconcileContext, Runnable } from '@tributary/runtime';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { deletingAnnotation, finalizers } from '../contract/keys.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import type { PhysicalPing } from '../vnode/physical-ping.ts';
import { unlessGone } from '../vnode/unless-gone.ts';
import { toBindingStatus } from './binding-status.ts';
import { createFixedFieldsWarning } from './fixed-fields.ts';
import { describeLeftovers, heldInVirtual, isAskedToRelease, oursInPhysical } from './leftovers.ts';

export type BindingOptions = {
  /** True where no manager of Kubeocean runs: phase, conditions and times are written here. */
  readonly manageStatus?: boolean;
};

export type BindingDeps = Sides & { readonly ping: Pick<PhysicalPing, 'answers'> };

const lookAgainMs = 2000;
const statusMs = 5000;

export function createBindingController({ manageStatus = false }: BindingOptions, sides: BindingDeps): Runnable {
  const { virtual, informers } = sides;
  const tell = createTeller(sides);
  const warnOfFixedFields = createFixedFieldsWarning(sides);
  const reconcile = async (name: string, { signal }: ReconcileContext): Promise<Outcome> => {
    const binding = informers.virtual.bindings.get({ name });
    if (!binding) return settled;
    const send = async (patch: Patch): Promise<void> =>
      unlessGone(virtual.client.patch(clusterBindingKind, { name }, patch, { signal }));
    if (binding.metadata.deletionTimestamp !== undefined) return takeLeave(binding, send, { ...sides, tell }, signal);
    const claim = addFinalizerPatch(binding, finalizers.bindingSyncer);
    if (claim) await send(claim);
    warnOfFixedFields(binding);
    if (!manageStatus) return settled;
    await writeStatus(binding, sides, signal);
    // Whether P answers is nobody's event: it is looked at, and written only when it changed.
    return recheck(statusMs);
  };
  const watches = [watch(clusterBindingKind, { scope: toScopes(sides.binding()).binding })];
  return createController({ name: 'binding', watches, reconcile }, virtual);
}

async function writeStatus(
  binding: ClusterBinding,
  { virtual, ping, clock }: BindingDeps,
  signal: AbortSignal,
): Promise<void> {
  const { name = '' } = binding.metadata;
  const status = mergePatchBetween(binding.status ?? {}, toBindingStatus(binding, ping.answers(), clock.now()));
  if (!status) return;
  const patch = { type: 'merge', body: { status } } as const;
  await unlessGone(virtual.client.patchStatus(clusterBindingKind, { name }, patch, { signal }));
}

async function takeLeave(
  binding: ClusterBinding,
  send: (patch: Patch) => Promise<void>,
  sides: BindingDeps & { readonly tell: Teller },
  signal: AbortSignal,
): Promise<Outcome> {
  const waitFor = (what: string): Outcome => {
    sides.tell(binding, `waiting until ${what}`);
    return recheck(lookAgainMs);
  };
  const release = removeFinalizerPatch(binding, finalizers.bindingSyncer);
  if (!release) return settled;
  if (!sides.ready()) return waitFor('both clusters can be seen whole');
  const vnodes = sides.informers.virtual.vnodes.size();
  if (vnodes > 0) return waitFor(`${vnodes} virtual nodes are emptied`);
  const held = heldInVirtual(sides);
  if (held.length > 0) {
    await askToRelease(held, sides, signal);
    return waitFor(`copies are given up: ${describeLeftovers(held)}`);
  }
  const ours = oursInPhysical(sides);
  if (ours.length > 0) return waitFor(`the physical cluster lets go of ${describeLeftovers(ours)}`);
  await send(release);
  return settled;
}

type Teller = (binding: ClusterBinding, message: string) => void;

/** What keeps the binding is told once, for as long as it is the same. */
function createTeller({ events }: Pick<Sides, 'events'>): Teller {
  let last = '';
  return (binding, message) => {
    if (message !== last) events.record(clusterBindingKind, binding, { type: 'Normal', reason: 'Releasing', message });
    last = message;
  };
}

/** Those who made the copies take them back; they are asked by an annotation, as the original asks. */
async function askToRelease(
  held: ReturnType<typeof heldInVirtual>,
  { virtual, identity, binding }: Sides,
  signal: AbortSignal,
): Promise<void> {
  const { name } = binding();
  for (const leftover of held) {
    if (isAskedToRelease(leftover, identity.clusterId, name)) continue;
    const { kind, object } = leftover;
    const annotations = { [deletingAnnotation(identity.clusterId)]: name };
    const patch = { type: 'merge', body: { metadata: { uid: object.metadata.uid, annotations } } } as const;
    await unlessGone(virtual.client.patch(kind, toRef(keyOf(object)), patch, { signal }));
  }
}
