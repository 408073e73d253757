import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { pathSegmentName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, items, text, texts } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';

const group = 'rbac.authorization.k8s.io';

export const rbacKinds: readonly BuiltinKind[] = [
  binding('ClusterRoleBinding', false),
  role('ClusterRole', false),
  binding('RoleBinding', true),
  role('Role', true),
];

function role(kind: string, namespaced: boolean): BuiltinKind {
  return rbacKind(kind, {
    validate: (object) =>
      items(object, 'rules').flatMap((rule, index) => validateRule(rule, namespaced, `rules[${index}]`)),
  });
}

function binding(kind: string, namespaced: boolean): BuiltinKind {
  return rbacKind(kind, {
    validate: (object) => validateBinding(object, namespaced),
    validateUpdate: (next: JsonObject, old: StoredObject) =>
      sameJson(next['roleRef'], old['roleRef'])
        ? []
        : [invalidField('roleRef', next['roleRef'], 'cannot change roleRef')],
  });
}

function rbacKind(kind: string, checks: BuiltinKind['strategy']): BuiltinKind {
  const shared = { noGeneration: true, allowsCreateOnUpdate: true, checkName: pathSegmentName };
  return { group, version: 'v1', kind, strategy: { ...shared, ...checks } };
}

function validateRule(rule: Draft, namespaced: boolean, path: string): Errors {
  const errors: FieldError[] = [];
  if (texts(rule, 'verbs').length === 0) {
    errors.push(requiredField(`${path}.verbs`, 'verbs must contain at least one value'));
  }
  const urls = texts(rule, 'nonResourceURLs');
  const place = `${path}.nonResourceURLs`;
  if (urls.length > 0) {
    if (namespaced) errors.push(invalidField(place, urls, 'namespaced rules cannot apply to non-resource URLs'));
    const mixed = ['apiGroups', 'resources', 'resourceNames'].some((key) => texts(rule, key).length > 0);
    if (mixed) {
      errors.push(invalidField(place, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (texts(rule, 'apiGroups').length === 0) {
    errors.push(requiredField(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (texts(rule, 'resources').length === 0) {
    errors.push(requiredField(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function validateBinding(object: JsonObject, namespaced: boolean): Errors {
  const reference = child(object, 'roleRef');
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const errors: FieldError[] = [];
  if (text(reference, 'apiGroup') !== group) {
    errors.push(unsupportedField('roleRef.apiGroup', text(reference, 'apiGroup'), [group]));
  }
  if (!kinds.includes(text(reference, 'kind'))) {
    errors.push(unsupportedField('roleRef.kind', text(reference, 'kind'), kinds));
  }
  const name = text(reference, 'name');
  if (name === '') errors.push(requiredField('roleRef.name'));
  else errors.push(...pathSegmentName(name, false).map((fault) => invalidField('roleRef.name', name, fault)));
  const subjects = items(object, 'subjects');
  return [
    ...errors,
    ...subjects.flatMap((subject, index) => validateSubject(subject, namespaced, `subjects[${index}]`)),
  ];
}

function validateSubject(subject: Draft, namespaced: boolean, path: string): Errors {
  const kind = text(subject, 'kind');
  const errors: FieldError[] = text(subject, 'name') === '' ? [requiredField(`${path}.name`)] : [];
  const wanted = kind === 'ServiceAccount' ? '' : group;
  if (kind !== 'ServiceAccount' && kind !== 'User' && kind !== 'Group') {
    return [...errors, unsupportedField(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
  if (text(subject, 'apiGroup') !== wanted) {
    errors.push(unsupportedField(`${path}.apiGroup`, text(subject, 'apiGroup'), [wanted]));
  }
  if (kind === 'ServiceAccount' && !namespaced && text(subject, 'namespace') === '') {
    errors.push(requiredField(`${path}.namespace`));
  }
  return errors;
}
