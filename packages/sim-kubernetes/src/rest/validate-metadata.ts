import type { FieldError } from '../registry/field-error.ts';
import type { JsonObject, StoredMetadata } from '../registry/json.ts';
import {
  checkFinalizer,
  checkLabelValue,
  checkQualifiedName,
  labelName,
  pathSegmentName,
} from '../registry/name-checks.ts';
import type { NameCheck, ResourceType } from '../registry/resource-type.ts';
import { sameJson } from '../registry/same-json.ts';
import { goQuote } from '../schema/go-format.ts';
import { Verbatim, forbiddenField, invalidField, requiredField, tooLongField } from '../schema/field-errors.ts';

type Metadata = Partial<StoredMetadata> & { readonly generateName?: string };
type OwnerReference = { readonly [key: string]: string | boolean | undefined };

const totalAnnotationBytes = 256 * 1024;

/** The rules that every object's metadata keeps, whatever its kind. */
export function validateMetadata(object: JsonObject, type: ResourceType, checkName: NameCheck): FieldError[] {
  const metadata = object['metadata'] as Metadata;
  return [...nameErrors(metadata, checkName), ...namespaceErrors(metadata, type), ...commonErrors(metadata, type)];
}

/** What an update of the metadata must keep, beside the rules above. */
export function validateMetadataUpdate(next: JsonObject, old: JsonObject, type: ResourceType): FieldError[] {
  const [metadata, before] = [next['metadata'] as Metadata, old['metadata'] as Metadata];
  const errors = validateMetadata(next, type, pathSegmentName);
  if (before.deletionTimestamp !== undefined) {
    const added = (metadata.finalizers ?? []).filter((name) => !before.finalizers?.includes(name)).toSorted();
    if (added.length > 0) {
      const list = `[]string{${added.map(goQuote).join(', ')}}`;
      const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(forbiddenField('metadata.finalizers', text));
    }
  }
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    if (!sameJson(metadata[field], before[field])) {
      errors.push(invalidField(`metadata.${field}`, metadata[field] ?? null, 'field is immutable'));
    }
  }
  return errors;
}

function nameErrors({ name = '', generateName = '' }: Metadata, checkName: NameCheck): FieldError[] {
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const text of checkName(generateName, true)) {
      errors.push(invalidField('metadata.generateName', generateName, text));
    }
  }
  if (name === '') errors.push(requiredField('metadata.name', 'name or generateName is required'));
  else for (const text of checkName(name, false)) errors.push(invalidField('metadata.name', name, text));
  return errors;
}

function namespaceErrors({ namespace = '' }: Metadata, type: ResourceType): FieldError[] {
  if (!type.namespaced) {
    return namespace === '' ? [] : [forbiddenField('metadata.namespace', 'not allowed on this type')];
  }
  if (namespace === '') return [requiredField('metadata.namespace', '')];
  return labelName(namespace, false).map((text) => invalidField('metadata.namespace', namespace, text));
}

function commonErrors(metadata: Metadata, type: ResourceType): FieldError[] {
  const errors: FieldError[] = [];
  if ((metadata.generation ?? 0) < 0) {
    errors.push(invalidField('metadata.generation', metadata.generation, 'must be greater than or equal to 0'));
  }
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    for (const text of checkQualifiedName(key)) errors.push(invalidField('metadata.labels', key, text));
    for (const text of checkLabelValue(value)) errors.push(invalidField('metadata.labels', value, text));
  }
  errors.push(...annotationErrors(metadata.annotations ?? {}));
  errors.push(...ownerErrors((metadata['ownerReferences'] ?? []) as unknown as readonly OwnerReference[]));
  errors.push(...finalizerErrors(metadata.finalizers ?? []));
  // CRDs are built in, but checked by another server, which does not mind and has such a finalizer itself.
  const isStrict = type.origin === 'builtin' && type.group !== 'apiextensions.k8s.io';
  if (isStrict) errors.push(...bareFinalizerErrors(metadata.finalizers ?? []));
  return errors;
}

function annotationErrors(annotations: { readonly [key: string]: string }): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const text of checkQualifiedName(key.toLowerCase())) {
      errors.push(invalidField('metadata.annotations', key, text));
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > totalAnnotationBytes) errors.push(tooLongField('metadata.annotations', totalAnnotationBytes));
  return errors;
}

function ownerErrors(references: readonly OwnerReference[]): FieldError[] {
  const path = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
    const version = String(apiVersion).split('/').at(-1);
    if (version === '') errors.push(invalidField(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
    for (const [field, value] of Object.entries({ kind, name, uid })) {
      if (value === '') errors.push(invalidField(`${path}.${field}`, value, 'must not be empty'));
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(invalidField(path, inOrder(reference), '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (reference['controller'] !== true) continue;
    const title = `${String(kind)}/${String(name)}`;
    if (controller !== undefined) {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${title}`;
      errors.push(invalidField(path, inOrder(references), text));
    } else controller = title;
  }
  return errors;
}

/** The server prints a reference in the order of its fields. */
function inOrder(value: OwnerReference | readonly OwnerReference[]): Verbatim {
  const fields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
  return new Verbatim(JSON.stringify(value, fields));
}

function bareFinalizerErrors(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((name, index) =>
    checkFinalizer(name).map((text) => invalidField(`metadata.finalizers[${index}]`, name, text)),
  );
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = 'metadata.finalizers';
  const errors = finalizers.flatMap((name) => checkQualifiedName(name).map((text) => invalidField(path, name, text)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidField(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}
