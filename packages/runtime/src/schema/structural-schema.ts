/** The schema language of a CustomResourceDefinition (apiextensions.k8s.io/v1), as far as we emit it. */
export type StructuralSchema = {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  nullable?: boolean;
  default?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema;
  items?: StructuralSchema;
  required?: readonly string[];
  allOf?: readonly StructuralSchema[];
  anyOf?: readonly StructuralSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-validations'?: readonly CelRule[];
};

/** One CEL rule. `fieldPath` is relative to the schema that carries the rule, for example `.host`. */
export type CelRule = {
  readonly rule: string;
  readonly message?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
};
