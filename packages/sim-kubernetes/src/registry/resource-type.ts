import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { FieldError } from './field-error.ts';
import type { SchemaNode } from './schema-node.ts';

/** What a hook may ask of the world: all of it injected, so that hooks stay pure of time and chance. */
export type HookContext = {
  /** Wall time as the server writes it: RFC 3339 with whole seconds. */
  readonly now: () => string;
  readonly uuid: () => string;
  /** Reads the store as of now. `group` is empty for core. */
  readonly get: (
    group: string,
    plural: string,
    namespace: string | undefined,
    name: string,
  ) => StoredObject | undefined;
  readonly list: (group: string, plural: string, namespace?: string) => readonly StoredObject[];
};

/**
 * What is particular to a kind. The verbs in rest/ are the same for all kinds and call these hooks; a hook that
 * is absent means the general rule. Drafts may be changed in place, everything else is read only.
 */
export type Strategy = {
  /** Fills defaults. Runs on create and on every update, before validation. */
  readonly applyDefaults?: (draft: Draft) => void;
  /** Sets what the server owns: cleared status, allocated values, immutable copies. */
  readonly prepareForCreate?: (draft: Draft, context: HookContext) => void;
  readonly prepareForUpdate?: (draft: Draft, old: StoredObject, context: HookContext) => void;
  /** Runs instead of prepareForUpdate when `/status` is written; what it does not copy back is kept from `old`. */
  readonly prepareForStatusUpdate?: (draft: Draft, old: StoredObject, context: HookContext) => void;
  readonly validate?: (object: JsonObject, context: HookContext) => readonly FieldError[];
  readonly validateUpdate?: (next: JsonObject, old: StoredObject, context: HookContext) => readonly FieldError[];
  /** Admission on create, for example ServiceAccount and Priority for Pods. Throws an ApiError to refuse. */
  readonly admitCreate?: (draft: Draft, context: HookContext) => void;
  /** Seconds that the object stays with a deletionTimestamp before it is removed; 0 or absent: at once. */
  readonly gracePeriodSeconds?: (object: StoredObject, asked: number | undefined) => number;
  /** Whether an update of the main resource raises `generation`. Absent: when anything but metadata and status differs. */
  readonly generationChanged?: (next: JsonObject, old: StoredObject) => boolean;
  /** What is wrong with a write to the status. */
  readonly validateStatusUpdate?: (next: JsonObject) => readonly FieldError[];
  /** Kinds without generation (ConfigMap, Secret, Event ...). */
  readonly noGeneration?: boolean;
  /** Field labels beside metadata.name and metadata.namespace that selectors may use, with their values. */
  readonly fieldLabels?: (object: StoredObject) => Readonly<Record<string, string>>;
  /** What is wrong with a name, in the words of the API; absent: the rules of a DNS subdomain. */
  readonly checkName?: NameCheck;
  /** A PUT of a name that does not exist creates it (Lease, Endpoints, Role ...). */
  readonly allowsCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is taken as it is. Absent: true for built-ins, false for custom resources. */
  readonly allowsUnconditionalUpdate?: boolean;
  /** Changes the object in the write that sets its deletionTimestamp, for example a Namespace to Terminating. */
  readonly prepareForDeletion?: (draft: Draft, context: HookContext) => void;
  /** More that must be over, beside finalizers and grace, before a deleted object is removed (a Namespace's spec.finalizers). */
  readonly heldFromRemoval?: (object: JsonObject) => boolean;
  /** A first deletion only marks the object, whatever holds it, and says nothing of grace. */
  readonly marksFirst?: boolean;
  /** Whether dependents are orphaned or deleted first is not asked. */
  readonly ignoresPropagation?: boolean;
  /** Refuses a deletion by throwing an ApiError. */
  readonly admitDelete?: (object: StoredObject, context: HookContext) => void;
  /** What happens to dependents when the caller does not say; absent: Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan';
  /** A deletion that removes the object answers with the object itself instead of a Status (Pods, Services ...). */
  readonly returnsDeletedObject?: boolean;
  /** Texts for the Warning header of a write. */
  readonly warnings?: (object: JsonObject, old: StoredObject | undefined) => readonly string[];
};

/** `prefix`: the name is a generateName, so a dash at its end is no fault. */
export type NameCheck = (name: string, prefix: boolean) => readonly string[];

export type TableColumn = {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

export type TableCells = {
  readonly columns: readonly TableColumn[];
  readonly cells: (object: StoredObject, nowMs: number) => readonly (string | number | boolean | null)[];
};

/** One kind in one served version: what discovery, the verbs, OpenAPI and Table need to know of it. */
export type ResourceType = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The root schema, `$ref`s resolved by `registry/resolve-schema.ts` where there are any. */
  readonly schema: SchemaNode;
  /** Unknown fields are pruned, defaults filled and values validated by schema. False only for preserve-unknown roots. */
  readonly strategy: Strategy;
  readonly hasStatus: boolean;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly table: TableCells;
  /** Built-ins take strategic merge patches; custom resources answer 415. */
  readonly origin: 'builtin' | 'custom';
  /** Names of further subresources that this kind serves (binding, eviction, token, ephemeralcontainers ...). */
  readonly subresources: readonly string[];
  /** Among several versions of one kind: the one that objects are stored as. Absent: the highest version. */
  readonly storageVersion?: boolean;
  /** Objects live among those of another resource, as Events of events.k8s.io do with those of core. */
  readonly storedIn?: { readonly group: string; readonly plural: string };
  /** Absent: only apiVersion differs between stored and served form. */
  readonly convert?: {
    readonly toStored: (object: JsonObject) => JsonObject;
    readonly fromStored: (object: StoredObject) => JsonObject;
  };
  /** As `convert`, by asking a webhook: several objects at once, to the version of the given name. */
  readonly convertRemotely?: (objects: readonly JsonObject[], toApiVersion: string) => Promise<readonly JsonObject[]>;
  /** The apiVersion that objects are written as, for it may be one that is not served. Absent: the storage version. */
  readonly storedAs?: string;
  /** Another number for another definition of the same resource: watches of the one end with it. */
  readonly epoch?: number;
  /** What of a stored object is shown, when that may be less or more than was written (a CRD whose schema changed). */
  readonly onRead?: (object: StoredObject) => StoredObject;
  /** Text of the Warning header on every request to this version. */
  readonly deprecationWarning?: string;
};
