import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { FieldError } from './field-error.ts';
import type { ResourceType } from './resource-type.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * What the verbs ask of a schema. `prune` and `applyDefaults` change the draft in place; paths are written as the
 * API writes them (`spec.containers[0].name`).
 */
export type SchemaRules = {
  /** Removes fields that the schema does not know and returns their paths. `metadata`, `apiVersion` and `kind` of the root stay. */
  readonly prune: (schema: SchemaNode, draft: Draft) => readonly string[];
  readonly applyDefaults: (schema: SchemaNode, draft: Draft) => void;
  /** Types, bounds and rules; with `old` also the transition rules. `status`: only that part was written. */
  readonly validate: (
    schema: SchemaNode,
    object: JsonObject,
    old: JsonObject | undefined,
    part?: 'status',
  ) => readonly FieldError[];
};

/** The three patch forms. They return a new value and leave the target as it was; a bad patch throws an ApiError. */
export type PatchRules = {
  readonly jsonPatch: (target: JsonObject, operations: unknown) => JsonObject;
  readonly mergePatch: (target: JsonObject, patch: JsonObject) => JsonObject;
  readonly strategicMergePatch: (target: JsonObject, patch: JsonObject, schema: SchemaNode) => JsonObject;
};

export type TableOptions = {
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  /** Version of meta.k8s.io. */
  readonly version: string;
  readonly nowMs: number;
  /** Column definitions are left out after the first table of a watch. */
  readonly withoutColumns?: boolean;
};

/** What `kubectl get` shows of objects: a `Table` object. `metadata` is that of the list, or of the one object. */
export type TableRules = (
  type: ResourceType,
  objects: readonly StoredObject[],
  metadata: JsonObject,
  options: TableOptions,
) => JsonObject;
