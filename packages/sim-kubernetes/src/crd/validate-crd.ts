// A CustomResourceDefinition as the server checks it. The server checks an older form of it, in which what all
// versions have in common stands once at the top; field paths of errors are those of that form.
import type { FieldError } from '../registry/field-error.ts';
import type { JsonObject } from '../registry/json.ts';
import { equalValues } from '../schema/correlation.ts';
import { childPath, invalidField, keyPath, requiredField, unsupportedField } from '../schema/field-errors.ts';
import { checkLabel1035, checkSubdomain } from '../registry/name-checks.ts';
import { approvalErrors } from './approval-errors.ts';
import { columnErrors } from './column-errors.ts';
import { conversionErrors } from './conversion-errors.ts';
import { crdSpec, crdStatus, isConditionTrue } from './crd-object.ts';
import type { CrdSpec, CrdVersion } from './crd-object.ts';
import { nameErrors, requiredNameErrors } from './crd-name-errors.ts';
import { crdSchemaErrors } from './crd-schema-errors.ts';
import { scaleErrors } from './scale-errors.ts';
import { selectableFieldErrors } from './selectable-field-errors.ts';
import { goVersions } from './go-versions.ts';

export function validateCrd(crd: JsonObject): readonly FieldError[] {
  const spec = crdSpec(crd);
  const { name = '', annotations } = crd['metadata'] as { readonly name?: string; readonly annotations?: JsonObject };
  return [
    ...objectNameErrors(name, spec),
    ...specErrors(spec),
    ...storedVersionErrors(crd, spec),
    ...approvalErrors(spec.group, annotations),
    ...preserveErrors(spec),
  ];
}

export function validateCrdUpdate(next: JsonObject, old: JsonObject): readonly FieldError[] {
  const spec = crdSpec(next);
  const before = crdSpec(old);
  const { annotations } = next['metadata'] as { readonly annotations?: JsonObject };
  const established = isConditionTrue(crdStatus(old), 'Established');
  const wereApproved = (old['metadata'] as { readonly annotations?: JsonObject }).annotations;
  return [
    ...specErrors(spec),
    ...(established
      ? [
          ...immutableErrors(spec.scope, before.scope, 'spec.scope'),
          ...immutableErrors(spec.names.kind, before.names.kind, 'spec.names.kind'),
        ]
      : []),
    ...immutableErrors(spec.group, before.group, 'spec.group'),
    ...immutableErrors(spec.names.plural, before.names.plural, 'spec.names.plural'),
    ...storedVersionErrors(next, spec),
    ...(equalValues(approvalErrors(spec.group, wereApproved), approvalErrors(spec.group, annotations))
      ? []
      : approvalErrors(spec.group, annotations)),
    ...preserveErrors(spec),
  ];
}

function objectNameErrors(name: string, spec: CrdSpec): readonly FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`;
  return [...checkSubdomain(name), ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group'])].map(
    (detail) => invalidField('metadata.name', name, detail),
  );
}

function specErrors(spec: CrdSpec): readonly FieldError[] {
  const { versions, names } = spec;
  const shared = {
    schema: isShared(versions, 'schema'),
    subresources: isShared(versions, 'subresources'),
    columns: isShared(versions, 'additionalPrinterColumns'),
    fields: isShared(versions, 'selectableFields'),
  };
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...versions.flatMap((version, index) =>
      version.schema?.openAPIV3Schema ? [] : [requiredField(`spec.versions[${index}].schema.openAPIV3Schema`)],
    ),
    ...versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`, shared)),
    ...versionSetErrors(versions, shared.schema),
    ...firstVersionErrors(versions[0]),
    ...requiredNameErrors(names),
    ...nameErrors(names, 'spec.names'),
    ...sharedErrors(versions[0], shared),
    ...conversionErrors(spec.conversion),
  ];
}

type Shared = { readonly [part in 'schema' | 'subresources' | 'columns' | 'fields']: boolean };

function isShared(versions: readonly CrdVersion[], part: keyof CrdVersion): boolean {
  return versions.every((version) => equalValues(version[part], versions[0]?.[part]));
}

function versionErrors(version: CrdVersion, at: string, shared: Shared): readonly FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  const hasStatus = version.subresources?.status !== undefined;
  const name = checkLabel1035(version.name ?? '');
  return [
    ...(name.length > 0 ? [invalidField(childPath(at, 'name'), version.name ?? '', name.join(','))] : []),
    ...deprecationErrors(version, at),
    ...(schema && !shared.schema ? crdSchemaErrors(schema, `${at}.schema.openAPIV3Schema`, hasStatus) : []),
    ...(shared.subresources ? [] : scaleErrors(version.subresources, `${at}.subresources`)),
    ...(shared.columns ? [] : columnErrors(version.additionalPrinterColumns, `${at}.additionalPrinterColumns`)),
    ...(shared.fields ? [] : selectableFieldErrors(version, `${at}.selectableFields`)),
  ];
}

/** What all versions say alike is checked once, and blamed where the older form of the object has it. */
function sharedErrors(first: CrdVersion | undefined, shared: Shared): readonly FieldError[] {
  if (!first) return [];
  const schema = first.schema?.openAPIV3Schema;
  const hasStatus = first.subresources?.status !== undefined;
  return [
    ...(schema && shared.schema ? crdSchemaErrors(schema, 'spec.validation.openAPIV3Schema', hasStatus) : []),
    ...(shared.subresources ? scaleErrors(first.subresources, 'spec.subresources') : []),
    ...(shared.columns ? columnErrors(first.additionalPrinterColumns, 'spec.additionalPrinterColumns') : []),
    ...(shared.fields ? selectableFieldErrors(first, 'spec.selectableFields') : []),
  ];
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [requiredField('spec.group')];
  const problems = checkSubdomain(group);
  if (problems.length > 0) return [invalidField('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalidField('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [requiredField('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [unsupportedField('spec.scope', scope, scopes)];
}

function versionSetErrors(versions: readonly CrdVersion[], sharedSchema: boolean): readonly FieldError[] {
  const names = versions.map(({ name }) => name);
  const unique = new Set(names).size === names.length;
  const stored = versions.filter(({ storage }) => storage).length;
  const value = goVersions(versions, sharedSchema);
  return [
    ...(unique ? [] : [invalidField('spec.versions', value, 'must contain unique version names')]),
    ...(stored === 1
      ? []
      : [invalidField('spec.versions', value, 'must have exactly one version marked as storage version')]),
  ];
}

/** The first version stands alone in the older form too. */
function firstVersionErrors(first: CrdVersion | undefined): readonly FieldError[] {
  const problems = first ? checkLabel1035(first.name ?? '') : [];
  return problems.length > 0 ? [invalidField('spec.version', first?.name ?? '', problems.join(','))] : [];
}

function deprecationErrors({ deprecated, deprecationWarning }: CrdVersion, at: string): readonly FieldError[] {
  if (deprecationWarning === undefined) return [];
  const here = childPath(at, 'deprecationWarning');
  const problems = [
    ...(deprecated === true ? [] : ['can only be set for deprecated versions']),
    ...(deprecated === true && Buffer.byteLength(deprecationWarning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(deprecated === true && deprecationWarning === '' ? ['must not be an empty string'] : []),
  ];
  return problems.map((problem) => invalidField(here, deprecationWarning, problem));
}

function storedVersionErrors(crd: JsonObject, spec: CrdSpec): readonly FieldError[] {
  const at = 'status.storedVersions';
  const stored = crdStatus(crd).storedVersions ?? [];
  if (stored.length === 0) return [invalidField(at, null, 'must have at least one stored version')];
  const names = spec.versions.map(({ name }) => name);
  return [
    ...spec.versions
      .filter(({ storage, name }) => storage && !stored.includes(name))
      .map(({ name }) => invalidField(at, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) => {
      if (names.includes(name)) return [];
      const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
      return [invalidField(keyPath(at, index), name, detail)];
    }),
  ];
}

function preserveErrors({ preserveUnknownFields }: CrdSpec): readonly FieldError[] {
  if (preserveUnknownFields !== true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidField('spec.preserveUnknownFields', true, detail)];
}

function immutableErrors(next: string, old: string, at: string): readonly FieldError[] {
  return next === old ? [] : [invalidField(at, next, 'field is immutable')];
}
