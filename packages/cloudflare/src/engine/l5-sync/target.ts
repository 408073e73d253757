import type { CloudflareClient } from '@tributary/cloudflare-api';
import type { Contract } from '../l4-state/contract.ts';
import type { Loser } from '../l4-state/loser.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import type { TargetKey } from '../l4-state/sync-state-name.ts';

/**
 * What layer 5 has to know of one type of Cloudflare object. Everything that decides is pure; only `observe`, `create`,
 * `update`, `remove`, `batch` and `secrets` call the API. `D` is what is wanted, `O` what the API shows.
 */
export type Target<K extends TargetKey = TargetKey, C extends object = object, D = unknown, O = unknown> = {
  readonly contract: Contract<K, C>;
  /** What the sources want together. They come in winning order, and there is at least one. */
  readonly aggregate: (sources: readonly Source<C>[], key: K) => Aggregate<D>;
  /** Objects of one scope are seen by one list, go out in one batch, and are counted together before a deletion. */
  readonly scope: (key: K) => string;
  readonly observe: Observation<K, D, O>;
  readonly idOf: (observed: O) => string;
  /** How a person calls it; its id when absent. */
  readonly describe?: (observed: O) => string;
  /** The text that may hold an ownership mark; absent where the object has no place for one. */
  readonly markedText?: (observed: O) => string | null | undefined;
  /** When the provider made it: tells our own lost create from somebody's older object where there is no mark. */
  readonly bornAt?: (observed: O) => string | undefined;
  readonly relation: (desired: D, observed: O, key: K) => Relation;
  /** The fields in which what is there differs from what is wanted, after the normalisation of the API. */
  readonly difference: (wanted: D, observed: O, remembered?: unknown) => readonly string[];
  /** For what the API does not show again: kept in `status.recorded`, and handed to `difference` and `update`. No secret. */
  readonly memory?: Memory<D, O>;
  /** When it must be looked at again although nothing has changed, before it expires for example; in ms since 1970. */
  readonly lookAgainAt?: (observed: O, desired: D, facts: LookFacts) => number | undefined;
  /** Where several owners share one remote object: which entries are ours, and how the others are kept. */
  readonly shared?: SharedObject<D, O>;
  /** Absent: the object is only looked up, and its absence is an error that tells so. */
  readonly create?: Creation<K, D, O>;
  readonly update?: (change: Update<K, D, O>, call: Call) => Promise<O>;
  /** What becomes of the remote object when nobody wants it any more. */
  readonly giveUp: (facts: GiveUpFacts<K>) => 'delete' | 'clear' | 'retain';
  readonly remove?: (observed: O, key: K, call: Call) => Promise<void>;
  readonly batch?: Batch<K, D, O>;
  /**
   * What the object tells about itself: for `status.resultData`, and so for the status of the sources. No secret; of
   * `secrets`, the Secrets as they were wished for in this sync, a hash at most, so that users of one see it change.
   * `desired` is what was written, foreign entries included where the object is shared.
   */
  readonly outputs?: (observed: O, desired: D, secrets: readonly SecretWish[], remembered?: unknown) => Outputs;
  /** Kubernetes Secrets that hold what must not stand in a SyncState. Kept in step on every sync. */
  readonly secrets?: (observed: O, desired: D, key: K, call: Call) => Promise<readonly SecretWish[]>;
};

/**
 * Any target at all, as a catalog lists them: what each takes and gives is between its own functions, and the engine
 * hands from one to the other without looking.
 */
export type AnyTarget = {
  readonly contract: Pick<Contract, 'type' | 'sources'>;
  readonly aggregate: (...asked: never[]) => Aggregate<unknown>;
  readonly scope: (...asked: never[]) => string;
  readonly relation: (...asked: never[]) => Relation;
};

/** How a call is made: the client of this SyncState's credentials, its priority set, its writes fenced. */
export type Call = ClusterReads & {
  readonly api: CloudflareClient;
  readonly signal: AbortSignal;
  /** Stores at once what the next call could lose: a key, before the certificate for it is asked for. */
  readonly keepSecret: (wish: SecretWish) => Promise<void>;
};

/** What of the cluster a target may ask, for what stands in no SyncState. */
export type ClusterReads = {
  /** The entries of a Secret as they are now; nothing when it is not there. */
  readonly readSecret: (ref: SecretPlace) => Promise<Readonly<Record<string, string>> | undefined>;
  readonly now: () => number;
  /** What lies elsewhere in the network and is only read, such as files that are to be uploaded. */
  readonly download: Download;
};

export type Download = (
  url: string,
  init: { readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<Response>;

export type LookFacts = { readonly now: number; readonly remembered: unknown };

export type SecretPlace = { readonly namespace: string; readonly name: string };

export type Memory<D, O> = {
  /** What must be known in case the end of the next write never is; lists are united with those remembered. */
  readonly before?: (wanted: D, fields: readonly string[]) => object | undefined;
  /** What to know from now on. */
  readonly after: (wanted: D, observed: O, remembered: unknown, now: number) => object | undefined;
};

export type Aggregate<D> =
  | { readonly ok: true; readonly desired: D; readonly losers: readonly Loser[] }
  /** The sources cannot be met; `ref` is the one to blame, all of them when absent. */
  | { readonly ok: false; readonly message: string; readonly ref?: SourceRef };

export type Observation<K, D, O> = {
  /** All that may be, or stand in the way of, what is wanted; deleted objects left out. `id` is the one we know. */
  readonly lookup: (asked: Asked<K, D>, call: Call) => Promise<readonly O[]>;
  /** The whole scope. The engine uses it when several keys of a scope are asked for at once, and for drift. */
  readonly list?: (key: K, call: Call) => Promise<readonly O[]>;
};

export type Asked<K, D> = {
  readonly key: K;
  readonly desired: D | undefined;
  readonly id: string | undefined;
  /** What the target has asked to be remembered; told where nobody wants the object any more. */
  readonly remembered?: unknown;
};

/**
 * `same`: it is, or takes the place of, what is wanted. `blocks`: it can never become ours and prevents the creation.
 * `beside`: of interest, for instance the same name with another value, and no obstacle. `none`: unrelated.
 */
export type Relation = 'same' | 'blocks' | 'beside' | 'none';

export type SharedObject<D, O> = {
  /**
   * Our entries, as `status.recorded` keeps them: an object of lists. Before a write the old and the new are united. It is
   * given what is to be written, foreign entries included, and may remember those too, under another name. After the
   * write it also sees what has become of it.
   */
  readonly record: (wanted: D, observed?: O) => unknown;
  /** What to write: our entries among the foreign ones that were not recorded as ours. */
  readonly merge: (desired: D, observed: O | undefined, recorded: unknown) => D;
  /** What to write when we leave: the foreign entries alone. */
  readonly cleared: (observed: O, recorded: unknown) => D;
  /** The names of recorded entries: for counting deletions, and for people. */
  readonly entries: (recorded: unknown) => readonly string[];
};

export type Creation<K, D, O> = {
  /** False: this one is only looked up (an existing tunnel, for example). */
  readonly allowed?: (desired: D) => boolean;
  /**
   * `natural-key`: the provider refuses a second one, and the first carries our mark. `intent`: it would make a second
   * one, or there is no mark; the intent is stored before the call.
   */
  readonly repeatable: 'natural-key' | 'intent';
  readonly run: (wanted: D, key: K, call: Call) => Promise<O>;
};

export type Update<K, D, O> = {
  readonly key: K;
  readonly wanted: D;
  readonly observed: O;
  readonly fields: readonly string[];
  readonly remembered?: unknown;
};

export type GiveUpFacts<K> = {
  readonly key: K;
  /** We made it, rather than found it. */
  readonly created: boolean;
};

export type BatchChange<K, D, O> =
  | { readonly do: 'create'; readonly key: K; readonly wanted: D }
  | ({ readonly do: 'update' } & Update<K, D, O>)
  | { readonly do: 'delete'; readonly key: K; readonly observed: O };

/** Many changes of one scope in one call that is done as a whole or not at all. */
export type Batch<K, D, O> = {
  /** How many changes one call takes; asked once per scope and remembered for some time. */
  readonly limit: (key: K, call: Call) => Promise<number>;
  /** Answers in the order of the changes; nothing for a deletion. */
  readonly run: (changes: readonly BatchChange<K, D, O>[], call: Call) => Promise<readonly (O | undefined)[]>;
};

export type Outputs = {
  readonly version?: number;
  readonly data?: Readonly<Record<string, string>>;
};

export type SecretWish = {
  readonly namespace: string;
  readonly name: string;
  readonly type?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
  /** A convenience: where the name is somebody else's, there is none. */
  readonly optional?: true;
  /** Entries that must not be there (any more). */
  readonly without?: readonly string[];
  /** Others that we have made here for the same owner, under a former name, are not wanted any more. */
  readonly only?: true;
  /** The object that the Secret goes with. */
  readonly owner?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
};

export function defineTarget<K extends TargetKey, C extends object, D, O>(
  target: Target<K, C, D, O>,
): Target<K, C, D, O> {
  return Object.freeze(target);
}
