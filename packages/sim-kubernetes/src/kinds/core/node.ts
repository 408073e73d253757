import type { FieldError } from '../../registry/field-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import { checkQualifiedName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, flag, items, text, texts } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const node: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Node',
  strategy: {
    noGeneration: true,
    keepsStatusOnCreate: true,
    fieldLabels: (object) => ({ 'spec.unschedulable': String(flag(child(object, 'spec'), 'unschedulable')) }),
    validate: (object) => validateTaints(child(object, 'spec')),
    validateUpdate: (next, old) => [...validateKept(next, old)],
  },
};

function validateTaints(spec: JsonObject | ReturnType<typeof child>): Errors {
  return items(spec, 'taints').flatMap((taint, index) => {
    const path = `metadata.taints[${index}]`;
    const key = text(taint, 'key');
    const effect = text(taint, 'effect');
    const errors: FieldError[] = checkQualifiedName(key).map((fault) => invalidField(`${path}.key`, key, fault));
    if (effect === '') errors.push(requiredField(`${path}.effect`));
    else if (!effects.includes(effect)) errors.push(unsupportedField(`${path}.effect`, effect, effects));
    return errors;
  });
}

function validateKept(next: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [child(next, 'spec'), child(old, 'spec')];
  const errors: FieldError[] = [];
  const ranges = texts(before, 'podCIDRs');
  if (ranges.length > 0 && !sameJson(texts(spec, 'podCIDRs'), ranges)) {
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  const provider = text(before, 'providerID');
  if (provider !== '' && provider !== text(spec, 'providerID')) {
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}
