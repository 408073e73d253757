import type { Kind } from '../kind.ts';
import type { AnyObject, KubeObject, ObjectRef } from '../object.ts';

export type CallOptions = { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number };

export type SelectorOptions = {
  /** One namespace; all of them when absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
};

export type ListOptions = CallOptions &
  SelectorOptions & {
    readonly limit?: number;
    readonly continue?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  };

export type ObjectList<T extends KubeObject = AnyObject> = {
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
};

export type WatchOptions = SelectorOptions & {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  /** How long the stream may stay silent before it counts as dead. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
};

/** The body of a Kubernetes `Status`, as errors and ERROR events carry it. */
export type KubeStatus = {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly status?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
};

export type WatchEvent<T extends KubeObject = AnyObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T }
  | { readonly type: 'ERROR'; readonly object: KubeStatus };

export type WriteOptions = CallOptions & {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
};

export type JsonPatchOperation = {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
};

export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: unknown };

export type DeleteOptions = CallOptions & {
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
};

export type Scale = KubeObject & {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
};

/**
 * A client for any kind. It keeps no state but its connections: what it returns is what the server said.
 * Every method rejects with a `KubeApiError` when the server answered with an error, and with an
 * `OperatorError` of code `kube/unreachable` when it did not answer.
 */
export type KubeClient = {
  readonly get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: CallOptions) => Promise<T>;
  readonly list: <T extends KubeObject>(kind: Kind<T>, options?: ListOptions) => Promise<ObjectList<T>>;
  /** All pages of a list, one after the other. A 410 in between is thrown: the caller starts again. */
  readonly listPages: <T extends KubeObject>(kind: Kind<T>, options?: ListOptions) => AsyncIterable<ObjectList<T>>;
  /** Resolves when the server ends the stream cleanly; `onEvent` is called in order and synchronously. */
  readonly watch: <T extends KubeObject>(
    kind: Kind<T>,
    options: WatchOptions,
    onEvent: (event: WatchEvent<T>) => void,
  ) => Promise<void>;
  readonly create: <T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions) => Promise<T>;
  readonly update: <T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions) => Promise<T>;
  readonly updateStatus: <T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions) => Promise<T>;
  readonly patch: <T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly patchStatus: <T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly apply: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ) => Promise<T>;
  readonly applyStatus: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ) => Promise<T>;
  /** What the server answered: the object when it lives on for its finalizers, else a Status. */
  readonly delete: <T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    options?: DeleteOptions,
  ) => Promise<T | KubeStatus>;
  readonly deleteCollection: <T extends KubeObject>(
    kind: Kind<T>,
    selector: SelectorOptions,
    options?: DeleteOptions,
  ) => Promise<void>;
  readonly getScale: (kind: Kind<KubeObject>, ref: ObjectRef, options?: CallOptions) => Promise<Scale>;
  readonly patchScale: (
    kind: Kind<KubeObject>,
    ref: ObjectRef,
    replicas: number,
    options?: WriteOptions,
  ) => Promise<Scale>;
  /** PATCH of any other subresource, for example `ephemeralcontainers` or `resize`. */
  readonly patchSubresource: <T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    subresource: string,
    patch: Patch,
    options?: WriteOptions,
  ) => Promise<T>;
  /** POST to any other subresource, for example `binding`, `eviction` or `token`. */
  readonly createSubresource: <R>(
    kind: Kind<KubeObject>,
    ref: ObjectRef,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ) => Promise<R>;
};
