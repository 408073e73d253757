import type { AnyCustomKind, AnyObject, Connection, Kind, Runnable } from '@tributary/runtime';

/** One operator in the playground: what it installs, what it is shown, and how to tell that it has done its work. */
export type Scene = {
  readonly name: string;
  readonly customKinds: readonly AnyCustomKind[];
  /** Applied once the operator runs. */
  readonly examples: readonly { readonly kind: Kind; readonly object: AnyObject }[];
  readonly operators: (connection: Connection) => readonly Runnable[];
  readonly isReady: (object: AnyObject) => boolean;
  /** kubectl commands worth a try. */
  readonly tryThis: readonly string[];
};
