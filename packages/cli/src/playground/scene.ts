import type { AnyCustomKind, AnyObject, Connection, Kind, Runnable } from '@tributary/runtime';
import type { ClusterOptions } from '@tributary/sim-kubernetes';

/** One operator in the playground: what it installs, and how it is brought to life. */
export type Scene = {
  readonly name: string;
  readonly customKinds: readonly AnyCustomKind[];
  /** What stands for the conversion webhooks of these kinds. */
  readonly converters?: ClusterOptions['converters'];
  /** The kinds are served when it is called. */
  readonly open: (stage: Stage) => Promise<OpenScene>;
};

/** What a scene stands on. */
export type Stage = {
  readonly connection: Connection;
  /** The kind of an object as it stands in a file. */
  readonly kindOf: (object: AnyObject) => Kind;
  /** One line of the live view; says when by itself. */
  readonly tell: (line: string) => void;
};

export type OpenScene = {
  readonly operators: readonly Runnable[];
  /** Applied, in this order, once the operator runs. */
  readonly examples: readonly Example[];
  readonly isReady: (example: Example, seen: AnyObject) => boolean;
  /** Kinds of the live view besides those of the scene. */
  readonly shown: readonly Kind[];
  /** How to reach what the scene has started. */
  readonly facts: readonly string[];
  /** Commands worth a try. */
  readonly tryThis: readonly string[];
  /** Calls to the provider so far. */
  readonly providerCalls: () => number;
  readonly close: () => Promise<void>;
};

export type Example = { readonly kind: Kind; readonly object: AnyObject };
