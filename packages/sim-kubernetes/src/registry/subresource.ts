import type { ApiResponse } from '../http/api-request.ts';
import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { FieldError } from './field-error.ts';
import type { HookContext, ResourceType } from './resource-type.ts';
import type { RestClient } from '../rest/rest-client.ts';
import type { Annotate, UserInfo } from './admission.ts';

/** What discovery says of a subresource whose kind is not that of its parent. */
export type SubresourceKind = { readonly group: string; readonly version: string; readonly kind: string };

/**
 * A path below an object. `update`: the parent itself, read and written with rules of its own (ephemeralcontainers,
 * finalize, approval). `call`: anything else (binding, eviction, token, log).
 */
export type SubresourceHandler = UpdateSubresource | CallSubresource;

type SubresourcePlace = {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
  /** As in discovery: get, update, patch, create ... */
  readonly verbs: readonly string[];
};

export type UpdateSubresource = SubresourcePlace & {
  readonly form: 'update';
  /** Runs instead of the kind's prepareForUpdate; what it does not copy back from `old` is taken from the caller. */
  readonly prepareForUpdate: (draft: Draft, old: StoredObject, context: HookContext) => void;
  readonly validateUpdate?: (next: JsonObject, old: StoredObject, context: HookContext) => readonly FieldError[];
};

export type CallSubresource = SubresourcePlace & {
  readonly form: 'call';
  readonly kind: SubresourceKind;
  /** The body as the server reads it; throws when it cannot be read. */
  readonly read?: (call: Pick<SubresourceCall, 'body' | 'query'>) => Draft;
  /** Fills in what the server knows, after what is asked for was changed and before it is judged. */
  readonly complete?: (body: Draft, parent: StoredObject | undefined, context: HookContext) => void;
  readonly handle: (call: SubresourceCall) => Promise<SubresourceAnswer>;
};

export type SubresourceCall = {
  readonly verb: 'get' | 'create' | 'update' | 'patch' | 'delete' | 'connect';
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The parent, or undefined when there is none by that name. */
  readonly parent: StoredObject | undefined;
  /** The decoded body of a create or update. */
  readonly body: Draft | undefined;
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Notes for the audit log, where there is one. */
  readonly annotate?: Annotate | undefined;
  readonly client: RestClient;
  readonly context: HookContext;
};

/** An object to be answered as it is, or a whole response (logs, upgrades refused ...). */
export type SubresourceAnswer =
  | { readonly status: number; readonly object: JsonObject }
  | { readonly response: ApiResponse };
