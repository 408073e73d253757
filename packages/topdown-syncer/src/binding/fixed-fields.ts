import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import type { BindingFacts, Sides } from '../sides.ts';

/** What of a binding was changed that must stay, in words for whoever did; undefined when nothing was. */
export function changedInVain(
  { spec }: ClusterBinding,
  { clusterId, mountNamespace }: Pick<BindingFacts, 'clusterId' | 'mountNamespace'>,
): string | undefined {
  const kept = [
    ...(spec.clusterID === clusterId ? [] : [`spec.clusterID ${clusterId}`]),
    ...(spec.mountNamespace === mountNamespace ? [] : [`spec.mountNamespace ${mountNamespace}`]),
  ];
  if (kept.length === 0) return undefined;
  return `the syncer goes on with ${kept.join(' and ')}: what it has made would be stranded otherwise. Set it back, or delete the binding first`;
}

/** Says it once, for as long as it is the same: the schema of the original takes such a change, and nothing follows from it. */
export function createFixedFieldsWarning({
  events,
  binding,
}: Pick<Sides, 'events' | 'binding'>): (object: ClusterBinding) => void {
  let told: string | undefined;
  return (object) => {
    const message = changedInVain(object, binding());
    if (message !== undefined && message !== told) {
      events.record(clusterBindingKind, object, { type: 'Warning', reason: 'FixedField', message });
    }
    told = message;
  };
}
