import type { AdmissionAttributes } from '../../registry/admission.ts';
import { forbidden } from '../../registry/api-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import { createCelEnvironment } from '../../schema/cel/cel-environment.ts';
import { replaceCalls } from '../../schema/cel/cel-source.ts';
import { toCelValue } from '../../schema/cel/cel-values.ts';
import { evaluationReason } from '../../schema/cel/validate-rules.ts';
import { toReview } from './admission-review.ts';
import type { RequestView } from './request-view.ts';
import type { Webhook } from './webhook-configuration.ts';

type Evaluate = (variables: Readonly<Record<string, unknown>>) => unknown;
const compiled = new Map<string, Evaluate>();

/** CEL that knows what match conditions may speak of. */
export function conditionEnvironment(): ReturnType<typeof createCelEnvironment> {
  return ['object', 'oldObject', 'request'].reduce(
    (environment, name) => environment.registerVariable(name, 'dyn'),
    createCelEnvironment(),
  );
}

/**
 * Whether all conditions of a webhook hold. One that is false decides; one that cannot be evaluated decides by the
 * failure policy, and refuses the request under Fail.
 */
export function meetsConditions(hook: Webhook, attributes: AdmissionAttributes, view: RequestView): boolean {
  const { matchConditions = [] } = hook;
  if (matchConditions.length === 0) return true;
  const { request } = toReview(attributes, view, { uid: '', version: 'v1' }) as { readonly request: JsonObject };
  const { object: _object, oldObject: _old, uid: _uid, ...rest } = request;
  const variables = {
    object: toCelValue(view.object ?? null, {}),
    oldObject: toCelValue(view.old ?? null, {}),
    request: toCelValue(rest, {}),
  };
  const problems: string[] = [];
  for (const { expression = '' } of matchConditions) {
    try {
      if (compile(expression)(variables) !== true) return false;
    } catch (error) {
      problems.push(`expression '${expression}' resulted in error: ${evaluationReason(error)}`);
    }
  }
  if (problems.length === 0) return true;
  if (hook.failurePolicy === 'Ignore') return false;
  const text = problems.length === 1 ? (problems[0] ?? '') : `[${[...new Set(problems)].join(', ')}]`;
  throw forbidden(attributes.type, attributes.name, text);
}

function compile(expression: string): Evaluate {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const made = conditionEnvironment().parse(replaceCalls(expression.trim())) as Evaluate;
  compiled.set(expression, made);
  return made;
}
