import type { Draft, JsonObject } from '../../registry/json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import { forbiddenField, invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, count, items, maybeChild, maybeNumber, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { autoscalerCells } from './autoscaler-cells.ts';
import { validateMetric } from './validate-metric.ts';
import { validateReference } from './validate-reference.ts';
import { validateScalingRules } from './validate-scaling.ts';

export const horizontalPodAutoscaler: BuiltinKind = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  cells: autoscalerCells,
  strategy: { noGeneration: true, validate: validateAutoscaler },
};

function validateAutoscaler(object: JsonObject): Errors {
  const spec = child(object, 'spec');
  const [most, least] = [count(spec, 'maxReplicas'), maybeNumber(spec, 'minReplicas')];
  const errors: FieldError[] = [];
  if (least !== undefined && least < 1) {
    errors.push(invalidField('spec.minReplicas', least, 'must be greater than or equal to 1'));
  }
  if (most === 0) errors.push(requiredField('spec.maxReplicas', 'must be set and greater than 0'));
  if (most < 0) errors.push(invalidField('spec.maxReplicas', most, 'must be greater than or equal to 1'));
  if (least !== undefined && most < least) {
    errors.push(invalidField('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  const behavior = child(spec, 'behavior');
  return [
    ...errors,
    ...validateReference(child(spec, 'scaleTargetRef'), 'spec.scaleTargetRef', false),
    ...items(spec, 'metrics').flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)),
    ...(least === 0 ? zeroErrors(items(spec, 'metrics')) : []),
    ...['scaleUp', 'scaleDown'].flatMap((way) =>
      validateScalingRules(maybeChild(behavior, way), `spec.behavior.${way}`),
    ),
  ];
}

/** Who has no pods has no metrics of pods. */
function zeroErrors(metrics: readonly Draft[]): Errors {
  if (metrics.some((metric) => ['Object', 'External'].includes(text(metric, 'type')))) return [];
  const fault = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbiddenField('spec.metrics', fault)];
}
