import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { checkQualifiedName } from '../../registry/name-checks.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import { child, items, maybeChild, text, textMap, texts } from '../draft-fields.ts';
import type { Errors } from './field-checks.ts';
import { checkLabels, checkLabelSelector, selectorMatches } from './field-checks.ts';
import { validatePodSpec } from './validate-pod-spec.ts';

/** The template of a workload. */
export function validatePodTemplate(template: Draft, path: string): Errors {
  const metadata = child(template, 'metadata');
  const spec = child(template, 'spec');
  const errors: FieldError[] = [
    ...checkLabels(textMap(metadata, 'labels'), `${path}.labels`),
    ...Object.keys(textMap(metadata, 'annotations')).flatMap((key) =>
      checkQualifiedName(key.toLowerCase()).map((fault) => invalidField(`${path}.annotations`, key, fault)),
    ),
    ...validatePodSpec(spec, `${path}.spec`),
  ];
  if (items(spec, 'ephemeralContainers').length > 0) {
    errors.push(forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
  return errors;
}

export type SelectedTemplate = {
  /** As the message about an empty selector has it: `deployment`. */
  readonly kind: string;
  /** As the message about deadlines has it: `ReplicaSet`. */
  readonly owner: string;
  /** DaemonSets do not say that a selector is missing, only that it does not match. */
  readonly requiresSelector?: boolean;
};

/** A selector with the template whose pods it must choose, for pods that run for ever. */
export function validateSelectedTemplate(spec: Draft, selected: SelectedTemplate): Errors {
  const { kind, owner, requiresSelector = true } = selected;
  const selector = maybeChild(spec, 'selector');
  const template = child(spec, 'template');
  const labels = textMap(child(template, 'metadata'), 'labels');
  const podSpec = child(template, 'spec');
  const errors: FieldError[] = [];
  if (selector === undefined) {
    if (requiresSelector) errors.push(requiredField('spec.selector'));
  } else {
    errors.push(...checkLabelSelector(selector, 'spec.selector'));
    if (choices(selector) === 0) {
      errors.push(invalidField('spec.selector', selector, `empty selector is invalid for ${kind}`));
    }
  }
  if (selector !== undefined && !isReadable(selector)) {
    return [...errors, invalidField('spec.selector', selector, 'invalid label selector')];
  }
  if (!selectorMatches(selector, labels)) {
    const fault = '`selector` does not match template `labels`';
    errors.push(invalidField('spec.template.metadata.labels', emptyAsNull(labels), fault));
  }
  errors.push(...validatePodTemplate(template, 'spec.template'));
  if (text(podSpec, 'restartPolicy') !== 'Always') {
    errors.push(unsupportedField('spec.template.spec.restartPolicy', text(podSpec, 'restartPolicy'), ['Always']));
  }
  if (podSpec['activeDeadlineSeconds'] !== undefined) {
    const fault = `activeDeadlineSeconds in ${owner} is not Supported`;
    errors.push(forbiddenField('spec.template.spec.activeDeadlineSeconds', fault));
  }
  return errors;
}

/** Whether the selector can be asked at all. */
function isReadable(selector: Draft): boolean {
  return items(selector, 'matchExpressions').every((expression) => {
    const operator = text(expression, 'operator');
    const listed = texts(expression, 'values').length > 0;
    return operator === 'In' || operator === 'NotIn' ? listed : operator === 'Exists' || operator === 'DoesNotExist';
  });
}

function choices(selector: Draft): number {
  return Object.keys(textMap(selector, 'matchLabels')).length + items(selector, 'matchExpressions').length;
}

/** Go has no labels where we have none of them. */
function emptyAsNull(labels: Readonly<Record<string, string>>): unknown {
  return Object.keys(labels).length === 0 ? null : labels;
}
