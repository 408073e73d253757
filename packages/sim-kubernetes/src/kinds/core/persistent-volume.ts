import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, ensureChild, text, textMap, texts } from '../draft-fields.ts';
import { checkOneOf, checkSubdomainField } from '../validation/field-checks.ts';

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export const persistentVolume: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  strategy: {
    noGeneration: true,
    prepareForCreate: (draft, { now }) => {
      draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: now() };
    },
    prepareForStatusUpdate: (draft, old, { now }) => {
      const status = ensureChild(draft, 'status');
      const before = child(old, 'status');
      const same = status['phase'] === before['phase'];
      const untouched =
        status['lastPhaseTransitionTime'] === undefined ||
        status['lastPhaseTransitionTime'] === before['lastPhaseTransitionTime'];
      if (untouched) status['lastPhaseTransitionTime'] = same ? before['lastPhaseTransitionTime'] : now();
    },
    validate: (object) => validateVolume(child(object, 'spec')),
    validateUpdate: (next, old) => validateSource(child(next, 'spec'), old),
  },
};

const common = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

const sourceOf = (spec: Draft): readonly string[] => Object.keys(spec).filter((key) => !common.has(key));

function validateVolume(spec: Draft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const modes = texts(spec, 'accessModes');
  if (modes.length === 0) errors.push(requiredField('spec.accessModes'));
  errors.push(...modes.flatMap((mode) => checkOneOf(mode, 'spec.accessModes', accessModes)));
  const capacity = textMap(spec, 'capacity');
  if (Object.keys(capacity).length === 0) errors.push(requiredField('spec.capacity'));
  if (capacity['storage'] === undefined || Object.keys(capacity).length > 1) {
    const given = Object.keys(capacity).length === 0 ? null : capacity;
    errors.push(unsupportedField('spec.capacity', given, ['storage']));
  }
  const sources = sourceOf(spec);
  if (sources.length === 0) errors.push(requiredField('spec', 'must specify a volume type'));
  for (const source of sources.slice(1)) {
    errors.push(forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type'));
  }
  const storageClass = text(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...checkSubdomainField(storageClass, 'spec.storageClassName'));
  const policies = ['Delete', 'Recycle', 'Retain'];
  errors.push(
    ...checkOneOf(text(spec, 'persistentVolumeReclaimPolicy'), 'spec.persistentVolumeReclaimPolicy', policies),
  );
  return errors;
}

function picked(spec: Draft): Draft {
  return Object.fromEntries(sourceOf(spec).map((key) => [key, spec[key]]));
}

function validateSource(spec: Draft, old: StoredObject): readonly FieldError[] {
  const before = child(old, 'spec');
  if (sameJson(picked(spec), picked(before))) return [];
  return [forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')];
}
