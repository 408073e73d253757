import type { JsonObject } from '../registry/json.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import type { WebhookTarget } from '../webhook-client/create-webhook-client.ts';
import type { PrinterColumn } from '../table/column-cells.ts';

// A CustomResourceDefinition as far as the server reads it. What a client sent may lack any of it until it is validated.

export type CrdNames = {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
};

export type CrdVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: SchemaNode };
  readonly subresources?: {
    readonly status?: JsonObject;
    readonly scale?: {
      readonly specReplicasPath?: string;
      readonly statusReplicasPath?: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
};

export type CrdConversion = {
  readonly strategy?: string;
  readonly webhook?: { readonly clientConfig?: WebhookTarget; readonly conversionReviewVersions?: readonly string[] };
};

export type CrdSpec = {
  readonly group: string;
  readonly scope: string;
  readonly names: CrdNames;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
};

export type CrdCondition = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
};

export type CrdStatus = {
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[];
  readonly conditions?: readonly CrdCondition[];
};

export const crdResource = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' } as const;

/** Holds a deleted CRD until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function crdSpec(crd: JsonObject): CrdSpec {
  const spec = (crd['spec'] ?? {}) as unknown as Partial<CrdSpec>;
  return {
    ...spec,
    group: spec.group ?? '',
    scope: spec.scope ?? '',
    names: { ...spec.names, plural: spec.names?.plural ?? '', kind: spec.names?.kind ?? '' },
    versions: spec.versions ?? [],
  };
}

export function crdStatus(crd: JsonObject): CrdStatus {
  return (crd['status'] ?? {}) as unknown as CrdStatus;
}

export function isConditionTrue(status: CrdStatus, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
