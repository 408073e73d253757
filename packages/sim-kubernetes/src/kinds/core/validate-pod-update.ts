import { cloneJson } from '../../registry/clone-json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField } from '../../schema/field-errors.ts';
import { child, items, maybeNumber, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { largestInt32 } from '../validation/validate-pod-spec.ts';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** A pod keeps its spec but for the few fields that running pods can follow. */
export function validatePodUpdate(next: JsonObject, old: StoredObject): Errors {
  const spec = child(next, 'spec');
  const before = child(old, 'spec');
  for (const list of ['containers', 'initContainers']) {
    if (items(spec, list).length !== items(before, list).length) {
      return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
  }
  const deadline = validateDeadline(spec, before);
  if (deadline.length > 0) return deadline;
  const errors: FieldError[] = [...validateTolerations(spec, before), ...validateGates(spec, before)];
  if (!sameJson(masked(spec, before), before)) {
    errors.push(forbiddenField('spec', `pod updates may not change fields other than ${changeable.join(',')}\n`));
  }
  return errors;
}

function validateDeadline(spec: Draft, before: Draft): Errors {
  const path = 'spec.activeDeadlineSeconds';
  const [is, was] = [maybeNumber(spec, 'activeDeadlineSeconds'), maybeNumber(before, 'activeDeadlineSeconds')];
  if (is === undefined) {
    return was === undefined ? [] : [invalidField(path, null, 'must not update from a positive integer to nil value')];
  }
  if (is < 0 || is > largestInt32) return [invalidField(path, is, `must be between 0 and ${largestInt32}, inclusive`)];
  return was !== undefined && was < is ? [invalidField(path, is, 'must be less than or equal to previous value')] : [];
}

function unlimited({ tolerationSeconds: _seconds, ...rest }: Draft): Draft {
  return rest;
}

function validateTolerations(spec: Draft, before: Draft): Errors {
  const kept = items(before, 'tolerations').every((toleration) =>
    items(spec, 'tolerations').some((found) => sameJson(unlimited(found), unlimited(toleration))),
  );
  return kept
    ? []
    : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateGates(spec: Draft, before: Draft): Errors {
  const known = new Set(items(before, 'schedulingGates').map((gate) => text(gate, 'name')));
  return items(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = text(gate, 'name');
    if (known.has(name)) return [];
    const fault = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbiddenField(`spec.schedulingGates[${index}].name`, fault)];
  });
}

/** The new spec with what may change put back. */
function masked(spec: Draft, before: Draft): Draft {
  const copy = cloneJson(spec);
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of items(copy, list).entries()) {
      container['image'] = items(before, list)[index]?.['image'];
    }
  }
  const gated = items(before, 'schedulingGates').length > 0;
  const free = [
    'activeDeadlineSeconds',
    'schedulingGates',
    'tolerations',
    ...(gated ? ['nodeSelector', 'affinity'] : []),
  ];
  for (const key of free) {
    if (before[key] === undefined) delete copy[key];
    else copy[key] = before[key];
  }
  return copy;
}
