import { defaultFor } from './default-for.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';

export type PrinterColumn = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
};

export type ScaleSubresource = {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
};

export type CrdConversion =
  | { readonly strategy: 'None' }
  | {
      readonly strategy: 'Webhook';
      readonly webhook: { readonly clientConfig: object; readonly conversionReviewVersions: readonly string[] };
    };

export type CrdVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: true;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScaleSubresource };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

export type CustomResourceDefinition = {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CrdVersion[];
    readonly conversion?: CrdConversion;
  };
};

export type RootParts = {
  readonly spec: StructuralSchema;
  readonly status: StructuralSchema | undefined;
  readonly description: string | undefined;
  /** What an empty spec becomes, where it is valid: then an object without a spec is taken as one with it. */
  readonly emptySpec: object | undefined;
  readonly rules: readonly CelRule[];
  /** The fields of the spec stand at the root. */
  readonly fieldsAtRoot: true | undefined;
};

/** The root is ours: a definition may say nothing about metadata, and nothing of it may be null or unknown. */
export function rootSchema({ spec, status, description, emptySpec, rules, fieldsAtRoot }: RootParts): StructuralSchema {
  const nested = { spec: emptySpec ? { ...spec, default: defaultFor(spec, {}, emptySpec) } : spec };
  const required = fieldsAtRoot ? (spec.required ?? []) : emptySpec ? [] : ['spec'];
  const allRules = fieldsAtRoot ? [...(spec['x-kubernetes-validations'] ?? []), ...rules] : rules;
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...(fieldsAtRoot ? spec.properties : nested),
      ...(status && { status }),
    },
    ...(required.length > 0 && { required }),
    ...(allRules.length > 0 && { 'x-kubernetes-validations': allRules }),
  };
}
