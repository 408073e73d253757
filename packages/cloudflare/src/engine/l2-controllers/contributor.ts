import type { AnyObject, Condition, Kind, KubeObject, ObjectRef, Result, Secret } from '@tributary/runtime';
import type { Contribution } from '../l4-state/contract.ts';
import type { Loser } from '../l4-state/loser.ts';
import type { SyncState } from '../l4-state/sync-state.ts';

/**
 * What layer 2 has to know of one kind. Everything here is pure: it sees the caches through `Refs` and says what is
 * wanted; the engine adds finalizers, registers, waits, deletes and writes status.
 */
export type Contributor<T extends KubeObject = KubeObject, R = unknown> = {
  readonly kind: Kind<T>;
  /** Ours, `{resource}.cloudflare-operator.io/finalizer`; none for kinds that contribute nothing. */
  readonly finalizer?: string;
  /** Those that earlier operators left on such objects; they go with ours. */
  readonly formerFinalizers?: readonly string[];
  /** Finalizers that earlier operators left on Secrets of such an object: they go when it goes, or the Secrets never would. */
  readonly formerSecrets?: (object: T, operatorNamespace: string) => readonly FormerSecret[];
  /** Whether the object is ours at all. False takes back what it contributed. */
  readonly selects?: (object: T, refs: Refs) => boolean;
  /** The kind may not be installed (Gateway API): it is picked up when it appears. */
  readonly optional?: boolean;
  /**
   * The kinds that it asks `Refs` for, so that they are complete before anything is decided. Whatever was read wakes the
   * object when it changes, by itself; a kind that is not named here is watched from its first use.
   */
  readonly reads?: readonly Kind<KubeObject>[];
  /** Kinds that it asks for only where an object says so: watched from their first use. Named here for the operator's rights. */
  readonly mayRead?: readonly Kind<KubeObject>[];
  /** The kinds of its children. Only those with our label are watched. */
  readonly childKinds?: readonly Kind<KubeObject>[];
  /** Changes of others that concern an object which has not read them. Seldom needed: see `reads`. */
  readonly wakes?: readonly Wake[];
  /** What the object refers to. Never called for an object that is being deleted. */
  readonly resolve: (object: T, refs: Refs) => Resolution<R>;
  readonly contribute: (object: T, resolved: R) => readonly Contribution[];
  /** Kubernetes objects that go with this one; created, kept in step in the fields given, and removed when not wanted. */
  readonly children?: (object: T, resolved: R, view: View, refs: Refs) => readonly Child[];
  /** A reason why a deleted object must still stay; asked again whenever something that wakes it changes. */
  readonly holdDeletion?: (object: T, refs: Refs) => string | undefined;
  /** What remains of the remote side when the object goes; `delete` unless the object says otherwise. */
  readonly deletionPolicy?: (object: T) => 'Delete' | 'Orphan';
  /** What the status says, beside the condition, while a deletion takes its time. */
  readonly whileDeleting?: Readonly<Record<string, unknown>>;
  /**
   * The status apart from conditions and observedGeneration. Fields that are not given stay as they are. `now` is for
   * conditions of a kind's own, where Ready is none of its words; `resolved` is there when everything was.
   */
  readonly status?: (
    object: T,
    view: View,
    refs: Refs,
    now: number,
    resolved: R | undefined,
  ) => Readonly<Record<string, unknown>>;
  /** Fields without which the server takes no status at all, as they are while nothing is known. */
  readonly emptyStatus?: Readonly<Record<string, unknown>>;
  /** The last word on Ready when everything is in step: a remark, or a reason why the object is not ready all the same. */
  readonly verdict?: (object: T, view: View, refs: Refs) => Partial<View['ready']> | undefined;
  /** The words of the Ready condition; objects without conditions (an Ingress) say `false`. */
  readonly ready?: ReadyWords | false;
  /** Annotations that are the operator's to set; `undefined` removes one. */
  readonly annotations?: (
    object: T,
    view: View,
    resolved: R | undefined,
  ) => Readonly<Record<string, string | undefined>>;
  /**
   * What a person should hear, as Events of the object: values that were not understood, what it lost and to whom. Said
   * by the leader, once for as long as the same is true; the engine adds nothing to what a kind says here.
   */
  readonly events?: (object: T, resolved: R, view: View) => readonly Notice[];
};

export type FormerSecret = { readonly namespace: string; readonly name: string; readonly finalizer: string };

export type Notice = { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };

export type ReadyWords = { readonly synced: string; readonly pending: string; readonly failed: string };

/** The caches, read-only. What an object has read wakes it when it changes, also what was not there. */
export type Refs = {
  readonly get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => T | undefined;
  readonly list: <T extends KubeObject>(kind: Kind<T>, options?: { readonly namespace?: string }) => readonly T[];
  readonly syncState: (name: string) => SyncState | undefined;
  /** What a lookup, of a zone for example, has come to. In `resolve`, asking makes it a wish of the object for as long as it asks. */
  readonly lookUp: (lookup: Contribution) => SyncState | undefined;
  /** A single Secret, watched from the first time that somebody asks for it; no other one is. */
  readonly secret: (ref: { readonly namespace: string; readonly name: string }) => Result<Secret>;
  /** The SyncStates whose head names these credentials. */
  readonly syncStatesUsing: (credentials: string) => readonly SyncState[];
  /** Where the operator runs. */
  readonly operatorNamespace: string;
};

/** A kind whose changes wake objects of ours. */
export type Wake = {
  readonly kind: Kind<KubeObject>;
  /** Which of ours: asked of both states of a change. */
  readonly objects: (other: AnyObject, refs: Refs) => readonly ObjectRef[];
};

export type Resolution<R> =
  | { readonly ok: true; readonly value: R }
  | {
      readonly ok: false;
      /** `waiting`: something is on its way; `broken`: a person has to act. What was contributed before stays. */
      readonly state: 'waiting' | 'broken';
      /** CamelCase, for the condition. */
      readonly reason: string;
      readonly message: string;
      /** What is wanted all the same. */
      readonly meanwhile?: readonly Contribution[];
      /** What was contributed before goes: there is no reason for it any more. */
      readonly release?: boolean;
    };

/** What has become of the object's contributions. */
export type View = {
  readonly state: 'Pending' | 'Synced' | 'Error';
  /** The Ready condition as the engine sees it; a kind may look, the engine writes it. */
  readonly ready: Pick<Condition, 'status' | 'reason' | 'message'>;
  readonly parts: readonly Part[];
  /** What this object lost, and to whom. */
  readonly losses: readonly Loser[];
  /** Its children as they are now. */
  readonly children?: readonly KubeObject[];
};

export type Part = {
  readonly contribution: Contribution;
  readonly syncState: SyncState | undefined;
  /** The SyncState has taken in this very contribution and the remote side has it. */
  readonly synced: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly id: string | undefined;
};

/** A Kubernetes object that goes with its owner. */
export type Child = {
  readonly kind: Kind<KubeObject>;
  /** With name and namespace; labels, annotations and fields as they must be. A null field must not be there. */
  readonly object: KubeObject;
  /** Maps at the top of the object that are all ours: an entry that is not named goes. */
  readonly whole?: readonly string[];
};

/** A contributor of any kind, for lists of them. Each is only ever given objects of its own kind. */
export type AnyContributor = {
  readonly [F in keyof Contributor]: Loose<Contributor[F]>;
};

// A method's parameters are compared both ways, which is what a list of contributors needs.
type Loose<F> = F extends (...given: infer A) => infer R ? { call(...given: A): R }['call'] : F;

export function defineContributor<T extends KubeObject, R>(contributor: Contributor<T, R>): Contributor<T, R> {
  return Object.freeze(contributor);
}
