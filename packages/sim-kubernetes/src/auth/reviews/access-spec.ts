import { child, items, maybeChild, text, texts } from '../../kinds/draft-fields.ts';
import type { UserInfo } from '../../registry/admission.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { goJson } from '../../schema/go-format.ts';
import { invalidField, requiredField, Verbatim } from '../../schema/field-errors.ts';
import { pathAttributes } from '../attributes.ts';
import type { Attributes } from '../attributes.ts';
import { readableShare, requirementErrors, selectorKinds } from './selector-requirements.ts';

/** What is wrong with the question itself. */
export function accessSpecErrors(spec: Draft): readonly FieldError[] {
  const resource = maybeChild(spec, 'resourceAttributes');
  const path = maybeChild(spec, 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (resource !== undefined && path !== undefined) {
    const fault = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalidField('spec.nonResourceAttributes', goPathAttributes(path), fault));
  }
  if (resource === undefined && path === undefined) {
    const fault = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidField('spec.resourceAttributes', null, fault));
  }
  return errors;
}

export function selectorErrors(spec: Draft): readonly FieldError[] {
  return selectorKinds.flatMap((key) => {
    const selector = maybeChild(maybeChild(spec, 'resourceAttributes'), key);
    if (selector === undefined) return [];
    const path = `spec.resourceAttributes.${key}`;
    const raw = text(selector, 'rawSelector');
    const requirements = items(selector, 'requirements');
    const faults = requirements.flatMap((each, index) =>
      requirementErrors(key, each, `${path}.requirements[${index}]`),
    );
    if (raw !== '' && requirements.length > 0) {
      const fault = 'may not specified at the same time as requirements';
      return [invalidField(`${path}.rawSelector`, raw, fault), ...faults];
    }
    if (raw !== '' || requirements.length > 0) return faults;
    return [
      requiredField(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`),
    ];
  });
}

/** The server prints the value as Go has it. */
export function goPathAttributes(attributes: Draft): Verbatim {
  return new Verbatim(goJson({ Path: text(attributes, 'path'), Verb: text(attributes, 'verb') }));
}

export function askedUser(spec: Draft): UserInfo {
  const extra = child(spec, 'extra') as Record<string, readonly string[]>;
  return { username: text(spec, 'user'), uid: text(spec, 'uid'), groups: texts(spec, 'groups'), extra };
}

export function askedAttributes(spec: Draft, user: UserInfo): Attributes {
  const resource = maybeChild(spec, 'resourceAttributes');
  if (resource === undefined) {
    const path = child(spec, 'nonResourceAttributes');
    return pathAttributes(user, text(path, 'verb'), text(path, 'path'));
  }
  const [verb = '', namespace = '', group = '', subresource = '', name = ''] = [
    'verb',
    'namespace',
    'group',
    'subresource',
    'name',
  ].map((key) => text(resource, key));
  return { user, verb, namespace, group, resource: text(resource, 'resource'), subresource, name };
}

/** A selector that cannot be read narrows nothing, and the answer says so. */
export function evaluationError(spec: Draft): string {
  const resource = maybeChild(spec, 'resourceAttributes');
  const texts = selectorKinds.flatMap((key) => {
    const selector = maybeChild(resource, key);
    const share = selector === undefined ? 'all' : readableShare(key, selector);
    if (share === 'all') return [];
    return [`spec.resourceAttributes.${key} ${share === 'some' ? 'partially ' : ''}ignored due to parse error`];
  });
  return texts.join('; ');
}
