import { normalizeObject } from '../kinds/normalize-object.ts';
import { ApiError, badRequest, forbidden } from '../registry/api-error.ts';
import type { Named } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { compareVersions } from '../registry/compare-versions.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType, Strategy } from '../registry/resource-type.ts';
import type { FieldError } from '../registry/field-error.ts';
import { sameJson } from '../registry/same-json.ts';
import { schemaRules } from '../schema/schema-rules.ts';
import { compileJsonPath } from '../table/json-path.ts';
import { printerColumns } from '../table/column-cells.ts';
import type { AskConversion } from './ask-conversion.ts';
import { crdSpec, crdStatus } from './crd-object.ts';
import type { CrdConversion, CrdSpec, CrdVersion } from './crd-object.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { ratchetWarnings } from './ratchet-warnings.ts';
import { scaleValueErrors } from './scale-value-errors.ts';

/** Brings an object of a custom resource from one version to another, as a conversion webhook would. */
export type CrdConverter = (object: JsonObject, toApiVersion: string) => JsonObject;

/** The converters that the server was started with, by the name of their CRD. */
export type CrdConverters = Readonly<Record<string, CrdConverter>>;

/** How a CRD with `strategy: Webhook` converts: by a function that the server was given, or else by asking. */
export type Conversion = {
  readonly converters?: CrdConverters | undefined;
  readonly asker?: ((conversion: CrdConversion) => AskConversion) | undefined;
  /** Rises when the CRD becomes another one for those who watch its objects. */
  readonly epoch?: number;
};

/** What the server serves for an established CRD: one resource for each served version. */
export function toResourceTypes(crd: StoredObject, conversion: Conversion = {}): readonly ResourceType[] {
  const spec = crdSpec(crd);
  const byWebhook = spec.conversion?.strategy === 'Webhook' ? spec.conversion : undefined;
  const converter = byWebhook && conversion.converters?.[crd.metadata.name];
  const ask = byWebhook && converter === undefined ? conversion.asker?.(byWebhook) : undefined;
  const storage = spec.versions.find((version) => version.storage)?.name;
  return spec.versions
    .filter((version) => version.served)
    .map((version) => ({
      ...toResourceType(crd, spec, version),
      ...(converter ? { convert: conversionBy(spec, version, converter) } : {}),
      ...(ask ? { convertRemotely: ask } : {}),
      epoch: conversion.epoch ?? 0,
      ...(storage === undefined ? {} : { storedAs: `${spec.group}/${storage}` }),
    }));
}

function toResourceType(crd: StoredObject, spec: CrdSpec, version: CrdVersion): ResourceType {
  const { group } = spec;
  const names = { ...spec.names, ...crdStatus(crd).acceptedNames };
  const scale = version.subresources?.scale;
  const schema = version.schema?.openAPIV3Schema ?? {};
  const warning = deprecationWarning(spec, version);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    schema,
    strategy: customStrategy(version, names.kind, crd.metadata.deletionTimestamp !== undefined, {
      group,
      plural: names.plural,
    }),
    hasStatus: version.subresources?.status !== undefined,
    ...(scale?.specReplicasPath === undefined || scale.statusReplicasPath === undefined
      ? {}
      : {
          scale: {
            specReplicasPath: scale.specReplicasPath,
            statusReplicasPath: scale.statusReplicasPath,
            ...(scale.labelSelectorPath === undefined ? {} : { labelSelectorPath: scale.labelSelectorPath }),
          },
        }),
    table: printerColumns(version.additionalPrinterColumns ?? []),
    origin: 'custom',
    subresources: [],
    storageVersion: version.storage,
    ...(mayDiffer(crd, version) ? { onRead: (object) => readBySchema(object, version, storedBy(spec, version)) } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
  };
}

function conversionBy(
  spec: CrdSpec,
  version: CrdVersion,
  converter: CrdConverter,
): NonNullable<ResourceType['convert']> {
  const storage = spec.versions.find(({ storage }) => storage)?.name ?? version.name;
  return {
    toStored: (object) => (version.name === storage ? object : converter(object, `${spec.group}/${storage}`)),
    fromStored: (object) => converter(object, `${spec.group}/${version.name}`),
  };
}

/**
 * Objects that were written by another schema, of another version or of the same before the CRD changed, and those whose
 * status has a default: a write takes the status away, and what is read has it again.
 */
function mayDiffer(crd: StoredObject, version: CrdVersion): boolean {
  const status = version.schema?.openAPIV3Schema?.properties?.['status'];
  const comesBack = version.subresources?.status !== undefined && status?.default !== undefined;
  return comesBack || !version.storage || (crd.metadata.generation ?? 1) > 1;
}

/** The version whose defaults come in when an object is read: the one that it is stored as, if they have one form. */
function storedBy({ versions, conversion }: CrdSpec, version: CrdVersion): CrdVersion | undefined {
  if (version.storage) return version;
  return conversion?.strategy === 'Webhook' ? undefined : versions.find(({ storage }) => storage);
}

/** The server reads what it has stored like a body: what the schema does not know goes, defaults come in. */
function readBySchema(object: StoredObject, version: CrdVersion, stored: CrdVersion | undefined): StoredObject {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const draft = cloneJson(object) as Draft;
  if (stored !== undefined && stored !== version)
    schemaRules.applyDefaults(stored.schema?.openAPIV3Schema ?? {}, draft);
  schemaRules.prune(schema, draft);
  if (stored === version) schemaRules.applyDefaults(schema, draft);
  return sameJson(draft, object) ? object : (draft as StoredObject);
}

function deprecationWarning(spec: CrdSpec, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const text = `${spec.group}/${version.name} ${spec.names.kind} is deprecated`;
  const newer = preferredOver(spec, version);
  return newer === undefined ? text : `${text}; use ${spec.group}/${newer} ${spec.names.kind}`;
}

/** The highest version that is served and not deprecated, when it is higher than this one. */
function preferredOver(spec: CrdSpec, version: CrdVersion): string | undefined {
  const candidates = spec.versions.filter(({ served, deprecated }) => served && deprecated !== true);
  const [best] = candidates.map(({ name }) => name).toSorted(compareVersions);
  return best !== undefined && compareVersions(best, version.name) < 0 ? best : undefined;
}

function customStrategy(version: CrdVersion, kind: string, terminating: boolean, resource: Named): Strategy {
  const fields = (version.selectableFields ?? []).map(({ jsonPath = '' }) => ({
    label: jsonPath.replace(/^\./, ''),
    valueOf: compileJsonPath(jsonPath),
  }));
  const scale = version.subresources?.scale;
  return {
    applyDefaults: (draft) => readMetadata(draft, kind, version.name),
    validate: (object): readonly FieldError[] => (scale ? scaleValueErrors(object, scale) : []),
    warnings: (object, old) => [
      ...finalizerWarnings(object, old),
      ...ratchetWarnings(version.schema?.openAPIV3Schema ?? {}, object, old),
    ],
    ...(terminating ? { admitCreate: (draft) => refuseCreate(resource, draft) } : {}),
    ...(fields.length === 0
      ? {}
      : {
          fieldLabels: (object) =>
            Object.fromEntries(fields.map(({ label, valueOf }) => [label, labelText(valueOf(object)[0])])),
        }),
  };
}

function refuseCreate(resource: Named, draft: Draft): never {
  const { name = '' } = draft['metadata'] as { readonly name?: string };
  throw forbidden(resource, name, 'create not allowed while custom resource definition is terminating');
}

function labelText(value: unknown): string {
  return value === undefined || value === null ? '' : `${value as string | number | boolean}`;
}

/** Metadata is a struct of the server whatever the kind: what it cannot hold is refused, what is empty left out. */
function readMetadata(draft: Draft, kind: string, version: string): void {
  const metadata = draft['metadata'];
  if (typeof metadata !== 'object' || metadata === null) return;
  try {
    normalizeObject(metadata as Draft, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.message.replace(/^.*? cannot be handled as a [^:]*: /s, '');
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
  }
}
