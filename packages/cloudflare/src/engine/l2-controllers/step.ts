import type { Kind, KubeObject, ObjectRef, Outcome } from '@tributary/runtime';
import type { Contribution } from '../l4-state/contract.ts';
import type { FormerSecret, Notice } from './contributor.ts';

/** One write that an object still needs, in the order in which they are made. */
export type Step =
  /** The whole list; written with the version of the object that it was decided on. */
  | { readonly do: 'set-finalizers'; readonly finalizers: readonly string[] }
  | { readonly do: 'annotate'; readonly annotations: Readonly<Record<string, string | null>> }
  | { readonly do: 'register'; readonly contribution: Contribution }
  | { readonly do: 'unregister'; readonly syncState: string }
  | { readonly do: 'orphan'; readonly syncState: string }
  | { readonly do: 'create-child'; readonly kind: Kind<KubeObject>; readonly object: KubeObject }
  | { readonly do: 'patch-child'; readonly kind: Kind<KubeObject>; readonly ref: ObjectRef; readonly body: object }
  | { readonly do: 'delete-child'; readonly kind: Kind<KubeObject>; readonly object: KubeObject }
  | ({ readonly do: 'release-secret' } & FormerSecret)
  | { readonly do: 'write-status'; readonly patch: object }
  | { readonly do: 'tell'; readonly note: Notice };

export type Plan = {
  readonly steps: readonly Step[];
  /** What becomes of the key when the steps are done. */
  readonly outcome: Outcome;
  /** All that is to be said about the object as it is now; nothing where that is not known yet. */
  readonly notices?: readonly Notice[];
};

/** Something that only trying shows, and that a person has to mend. */
export type StepProblem = { readonly reason: string; readonly message: string };
