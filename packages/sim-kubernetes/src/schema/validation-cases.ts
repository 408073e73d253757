import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../registry/json.ts';
import type { SchemaNode } from '../registry/schema-node.ts';

export type ValidationCase = {
  readonly field: string;
  readonly value: Json;
  readonly old?: Json;
  readonly status: number;
  readonly stored?: Json;
  readonly message?: string;
  readonly causes?: readonly JsonObject[];
};

/** Cases with the answers that kube-apiserver gave to them. */
export function readValidationCases(): {
  readonly schemas: Readonly<Record<string, SchemaNode>>;
  readonly cases: readonly ValidationCase[];
} {
  return JSON.parse(readFileSync(new URL('golden/validation-cases.json', import.meta.url), 'utf8')) as ReturnType<
    typeof readValidationCases
  >;
}

/** The schema of the custom resource in which the cases are fields of `spec`. */
export function caseSchema(fields: Readonly<Record<string, SchemaNode>>): SchemaNode {
  return {
    type: 'object',
    'x-kubernetes-validations': [
      { rule: "self.metadata.name != 'forbidden'", message: 'name is forbidden' },
      { rule: "self.kind == 'Case'" },
    ],
    properties: { spec: { type: 'object', properties: fields } },
  };
}

export function caseObject(field: string, value: Json | undefined): JsonObject {
  const spec = { [field]: structuredClone(value) };
  return { apiVersion: 'schema.tributary.test/v1', kind: 'Case', metadata: { name: 'a' }, spec };
}
