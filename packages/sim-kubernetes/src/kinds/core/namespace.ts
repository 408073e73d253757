import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft, JsonObject } from '../../registry/json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import { checkFinalizer, checkQualifiedName, labelName } from '../../registry/name-checks.ts';
import { invalidField } from '../../schema/field-errors.ts';
import type { UpdateSubresource } from '../../registry/subresource.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, ensureChild, text, texts } from '../draft-fields.ts';
import { checkPrefix } from '../validation/field-checks.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const finalizer = 'kubernetes';

export const namespace: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  strategy: {
    noGeneration: true,
    checkName: labelName,
    fieldLabels: (object) => ({ 'status.phase': text(child(object, 'status'), 'phase') }),
    prepareForCreate: (draft) => {
      const spec = ensureChild(draft, 'spec');
      const finalizers = texts(spec, 'finalizers');
      spec['finalizers'] = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
      nameInLabels(draft);
    },
    validate: (object) => finalizerErrors(object, () => 'spec.finalizers'),
    validateUpdate: (next) => checkPrefix(next, labelName),
    validateStatusUpdate: phaseErrors,
    prepareForUpdate: (draft, old) => {
      copyFinalizers(draft, old);
      nameInLabels(draft);
    },
    prepareForDeletion: (draft) => {
      ensureChild(draft, 'status')['phase'] = 'Terminating';
    },
    marksFirst: true,
    heldFromRemoval: (object) => texts(child(object, 'spec'), 'finalizers').length > 0,
  },
};

/** `finalize` is the only way to change spec.finalizers; the status stays. */
export const namespaceFinalize: UpdateSubresource = {
  form: 'update',
  group: '',
  plural: 'namespaces',
  name: 'finalize',
  verbs: ['update'],
  prepareForUpdate: (draft, old) => {
    draft['status'] = cloneJson(old['status'] ?? {});
  },
  validateUpdate: (next) => finalizerErrors(next, (index) => `spec.finalizers[${index}]`),
};

function finalizerErrors(object: JsonObject, fieldOf: (index: number) => string): FieldError[] {
  return texts(child(object, 'spec'), 'finalizers').flatMap((name, index) =>
    [...checkQualifiedName(name), ...checkFinalizer(name)].map((text) => invalidField(fieldOf(index), name, text)),
  );
}

function phaseErrors(object: JsonObject): FieldError[] {
  const phase = text(child(object, 'status'), 'phase');
  const deleting = text(child(object, 'metadata'), 'deletionTimestamp') !== '';
  if (phase === (deleting ? 'Terminating' : 'Active')) return [];
  const rule = deleting
    ? 'may only be "Terminating" if `deletionTimestamp` is not empty'
    : 'may only be "Active" if `deletionTimestamp` is empty';
  return [invalidField('status.Phase', phase, rule)];
}

function copyFinalizers(draft: Draft, old: Parameters<typeof child>[0]): void {
  const kept = texts(child(old, 'spec'), 'finalizers');
  const spec = ensureChild(draft, 'spec');
  if (kept.length === 0) delete spec['finalizers'];
  else spec['finalizers'] = [...kept];
}

/** The name is known only now when it was generated. */
function nameInLabels(draft: Draft): void {
  const metadata = ensureChild(draft, 'metadata');
  ensureChild(metadata, 'labels')[nameLabel] = text(metadata, 'name');
}
