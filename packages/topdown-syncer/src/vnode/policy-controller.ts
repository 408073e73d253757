// Keeps the status of this binding's ResourceLeasingPolicies, and their finalizer. What they mean for nodes is the business of the
// vnode controller, which looks at the policies themselves.
import { addFinalizerPatch, createController, keyOf, mergePatchBetween, recheck } from '@tributary/runtime';
import { removeFinalizerPatch, settled, watch } from '@tributary/runtime';
import type { KubeClient, Outcome, Patch, Runnable } from '@tributary/runtime';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { finalizers } from '../contract/keys.ts';
import { resourceLeasingPolicyKind as policyKind } from '../contract/resource-leasing-policy.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import { toPolicyStatus } from './policy-status.ts';
import { nextChangeMs } from './time-windows.ts';
import { unlessGone } from './unless-gone.ts';

export type PolicyOptions = { readonly timeZone?: string };

export function createPolicyController({ timeZone = 'UTC' }: PolicyOptions, sides: Sides): Runnable {
  const { physical, clock } = sides;
  const policies = physical.cache.informer(policyKind);
  const bindingName = sides.binding().name;
  const reconcile = async (name: string, { signal }: { readonly signal: AbortSignal }): Promise<Outcome> => {
    const policy = policies.get({ name });
    if (!policy || policy.spec.cluster !== bindingName) return settled;
    const send = async (patch: Patch): Promise<void> =>
      unlessGone(physical.client.patch(policyKind, { name }, patch, { signal }));
    if (policy.metadata.deletionTimestamp !== undefined || isBindingLeaving(sides)) {
      // It lends nothing from then on. Nobody has to wait for its nodes to be emptied, and who comes after us finds no finalizer of ours.
      const release = removeFinalizerPatch(policy, finalizers.policy);
      if (release) await send(release);
      return settled;
    }
    const claim = addFinalizerPatch(policy, finalizers.policy);
    if (claim) await send(claim);
    const status = mergePatchBetween(policy.status ?? {}, toPolicyStatus(policy, clock.now(), timeZone));
    if (status) await unlessGone(patchStatus(physical.client, name, status, signal));
    const nextMs = nextChangeMs(policy.spec.timeWindows ?? [], clock.now(), timeZone);
    return nextMs === undefined ? settled : recheck(Math.max(nextMs - clock.now(), 0));
  };
  const leaving = watch(clusterBindingKind, {
    cache: sides.virtual.cache,
    scope: toScopes(sides.binding()).binding,
    when: () => isBindingLeaving(sides),
    toKeys: () => policies.list().map(keyOf),
  });
  return createController({ name: 'policy', watches: [watch(policyKind), leaving], reconcile }, physical);
}

function isBindingLeaving({ binding, informers }: Sides): boolean {
  return binding().deleting || !informers.virtual.bindings.get({ name: binding().name });
}

async function patchStatus(client: KubeClient, name: string, status: unknown, signal: AbortSignal): Promise<unknown> {
  return client.patchStatus(policyKind, { name }, { type: 'merge', body: { status } }, { signal });
}
