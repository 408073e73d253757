import { toKey } from '@tributary/runtime';
import type { Kind, KubeObject, ObjectRef } from '@tributary/runtime';
import { describeHolder } from '../contract/claim.ts';
import type { Claim } from '../contract/claim.ts';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import type { Sides } from '../sides.ts';

/** Tells people what the syncer does not do, and why. */
export type Reporter = {
  readonly warn: (kind: Kind<KubeObject>, object: KubeObject, reason: string, message: string) => void;
  /** Somebody else holds the name in P. */
  readonly conflict: (kind: Kind<KubeObject>, object: KubeObject, place: ObjectRef, claim: Claim) => void;
  /** An object of P that seems to be a copy, has no original, and does not say whose it is. Told once. */
  readonly orphan: (kind: Kind<KubeObject>, object: KubeObject) => void;
};

export function createReporter({
  events,
  informers,
  binding,
  log,
}: Pick<Sides, 'events' | 'informers' | 'binding' | 'log'>): Reporter {
  const told = new Set<string>();
  const warn: Reporter['warn'] = (kind, object, reason, message) =>
    events.record(kind, object, { type: 'Warning', reason, message });
  return {
    warn,
    conflict: (kind, object, place, claim) => {
      const advice = 'choose another mount namespace, or a name salt';
      const message = `${kind.kind} ${toKey(place)} of the physical cluster is held by ${describeHolder(claim)}: ${advice}`;
      warn(kind, object, 'NameConflict', message);
    },
    orphan: (kind, object) => {
      const { namespace, name = '', uid = '' } = object.metadata;
      if (told.has(uid)) return;
      told.add(uid);
      const what = `${kind.kind} ${toKey({ namespace, name })} of the physical cluster`;
      const message = `${what} has no original in this virtual cluster and no mark of its owner: it is left alone`;
      log.warn({ kind: kind.kind, namespace, name }, 'an unmarked object has no original: it is left alone');
      const owner = informers.virtual.bindings.get({ name: binding().name });
      if (owner) warn(clusterBindingKind, owner, 'UnmarkedOrphan', message);
    },
  };
}
