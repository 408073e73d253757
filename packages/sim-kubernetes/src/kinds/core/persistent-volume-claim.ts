import { cloneJson } from '../../registry/clone-json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { at, child, ensureChild, text, texts } from '../draft-fields.ts';
import { compareQuantities, parseQuantity } from '../quantity.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkLabelSelector, checkOneOf, checkSame, checkSubdomainField } from '../validation/field-checks.ts';
import { accessModes } from './persistent-volume.ts';

export const persistentVolumeClaim: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  strategy: {
    noGeneration: true,
    prepareForCreate: (draft) => pairSources(ensureChild(draft, 'spec')),
    prepareForUpdate: (draft) => pairSources(ensureChild(draft, 'spec')),
    validate: (object) => validateClaimSpec(child(object, 'spec'), 'spec'),
    validateUpdate: validateClaimUpdate,
  },
};

const sourceKinds = new Set(['PersistentVolumeClaim', 'VolumeSnapshot']);

/** dataSource and dataSourceRef say the same where both can. */
function pairSources(spec: Draft): void {
  const source = child(spec, 'dataSource');
  const reference = child(spec, 'dataSourceRef');
  if (spec['dataSource'] !== undefined && spec['dataSourceRef'] === undefined) {
    if (sourceKinds.has(text(source, 'kind'))) spec['dataSourceRef'] = cloneJson(source);
    else delete spec['dataSource'];
  } else if (spec['dataSourceRef'] !== undefined && spec['dataSource'] === undefined) {
    if (text(reference, 'namespace') === '' && sourceKinds.has(text(reference, 'kind'))) {
      spec['dataSource'] = cloneJson(reference);
    }
  }
}

export function validateClaimSpec(spec: Draft, path: string): Errors {
  const errors: FieldError[] = [];
  const modes = texts(spec, 'accessModes');
  if (modes.length === 0) errors.push(requiredField(`${path}.accessModes`, 'at least 1 access mode is required'));
  errors.push(...checkLabelSelector(child(spec, 'selector'), `${path}.selector`));
  errors.push(...modes.flatMap((mode) => checkOneOf(mode, `${path}.accessModes`, accessModes)));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbiddenField(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes'));
  }
  const size = text(at(spec, 'resources.requests'), 'storage');
  const place = `${path}.resources[storage]`;
  if (size === '') errors.push(requiredField(place));
  else if (size === '0' || size.startsWith('-')) errors.push(invalidField(place, size, 'must be greater than zero'));
  const storageClass = text(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...checkSubdomainField(storageClass, `${path}.storageClassName`));
  errors.push(...checkOneOf(text(spec, 'volumeMode'), `${path}.volumeMode`, ['Block', 'Filesystem']));
  return errors;
}

function validateClaimUpdate(next: JsonObject, old: StoredObject): Errors {
  const [spec, before] = [cloneJson(child(next, 'spec')), cloneJson(child(old, 'spec'))];
  const bound = text(child(next, 'status'), 'phase') === 'Bound';
  const sizes = { next: sizeOf(spec), old: sizeOf(before), status: text(at(old, 'status.capacity'), 'storage') };
  if (text(before, 'volumeName') === '') before['volumeName'] = spec['volumeName'];
  // A class may be given once to a claim that has none.
  if (before['storageClassName'] === undefined) before['storageClassName'] = spec['storageClassName'];
  if (bound) {
    setSize(spec, sizes.old);
    spec['volumeAttributesClassName'] = before['volumeAttributesClassName'];
  }
  const errors: FieldError[] = [];
  if (!sameJson(spec, before)) {
    const fault =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
    errors.push(forbiddenField('spec', fault));
  }
  if (isSmaller(sizes.next, sizes.old) && !isSmaller(sizes.status, sizes.next)) {
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  errors.push(...checkSame(child(next, 'spec')['volumeMode'], child(old, 'spec')['volumeMode'], 'volumeMode'));
  return errors;
}

function sizeOf(spec: Draft): string {
  return text(at(spec, 'resources.requests'), 'storage');
}

function setSize(spec: Draft, size: string): void {
  ensureChild(ensureChild(spec, 'resources'), 'requests')['storage'] = size;
}

function isSmaller(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a || '0'), parseQuantity(b || '0')];
  return left !== undefined && right !== undefined && compareQuantities(left, right) < 0;
}
