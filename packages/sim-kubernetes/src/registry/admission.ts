import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { HookContext, ResourceType } from './resource-type.ts';

/** Who asks. */
export type UserInfo = {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Notes something beside a request; the first word on a key stands. */
export type Annotate = (key: string, value: string) => void;

/** One write on its way to the store, as admission sees it. */
export type AdmissionAttributes = {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly type: ResourceType;
  /** The kind of `object` where it is not that of `type`: a Binding, an Eviction, a TokenRequest. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** May be changed in place by `mutate`; absent on DELETE. */
  readonly object: Draft | undefined;
  readonly old: StoredObject | undefined;
  /** Absent for connections, which have none. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
  /** Notes for the audit log, where there is one. */
  readonly annotate?: Annotate | undefined;
};

/** Runs for every write of every kind; refuses by throwing an ApiError. All `mutate` run before all `validate`. */
export type AdmissionPlugin = {
  readonly name: string;
  readonly mutate?: (attributes: AdmissionAttributes, context: HookContext) => void | Promise<void>;
  /** Whether what `mutate` did is a reason to let all plugins mutate once more. */
  readonly asksForSecondRound?: (attributes: AdmissionAttributes) => boolean;
  readonly validate?: (attributes: AdmissionAttributes, context: HookContext) => void | Promise<void>;
};
