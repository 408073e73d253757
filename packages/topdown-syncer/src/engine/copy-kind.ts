import type { Informer, Kind, KubeObject, ObjectKey, ObjectRef, Result, Watch } from '@tributary/runtime';

/** A place in P where an object of V may have a copy. */
export type Place<T extends KubeObject> = {
  readonly ref: ObjectRef;
  readonly informer: Informer<T>;
  readonly demanded: boolean;
  /** Nobody needs it, and copies that nobody needs shall go. */
  readonly collect: boolean;
  /** The copy serves a CSI driver. */
  readonly usedByPv: boolean;
};

/** What is particular to one kind of copies. The engine never asks which kind it has. */
export type CopyKind<T extends KubeObject> = {
  readonly kind: Kind<T>;
  readonly virtual: Informer<T>;
  /** Everywhere a copy may be, whether it is needed there or not. `object` is V's, where it exists. */
  readonly places: (key: ObjectKey, object: T | undefined) => readonly Place<T>[];
  /** Why it cannot be copied now, in words for its owner. */
  readonly copyable?: (object: T) => Result<unknown>;
  /** What the owner of a new copy must know: something about it that we cannot do. */
  readonly caveats?: (object: T) => readonly string[];
  /** The content of a copy, without metadata. Pure. */
  readonly translate: (object: T) => Omit<T, 'metadata'>;
  /** What to patch so that the copy has V's content again, undefined for nothing. Pure. */
  readonly plan: (wanted: T, actual: T) => Readonly<Record<string, unknown>> | undefined;
  /** The difference cannot be patched. */
  readonly mustReplace?: (wanted: T, actual: T) => boolean;
  /** What else asks for a look at an object of this kind. */
  readonly watches: readonly Watch[];
};
