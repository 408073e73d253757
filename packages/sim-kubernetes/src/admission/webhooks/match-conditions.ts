import type { Authorizer } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import { forbidden } from '../../registry/api-error.ts';
import { replaceCalls } from '../../schema/cel/cel-source.ts';
import { evaluationReason } from '../../schema/cel/validate-rules.ts';
import { expressionEnvironment, expressionVariables } from '../expression-variables.ts';
import type { Variables } from '../expression-variables.ts';
import type { RequestView } from './request-view.ts';
import type { MatchCondition, Webhook } from './webhook-configuration.ts';

type Evaluate = (variables: Variables) => unknown;
const compiled = new Map<string, Evaluate>();

/**
 * Whether all conditions of a webhook hold. One that is false decides; one that cannot be evaluated decides by the
 * failure policy, and refuses the request under Fail.
 */
export function meetsConditions(
  { matchConditions = [], failurePolicy }: Webhook,
  attributes: AdmissionAttributes,
  view: RequestView,
  authorizer: Authorizer,
): boolean {
  if (matchConditions.length === 0) return true;
  const variables = expressionVariables(attributes, view, authorizer);
  const judged = judgeConditions(matchConditions, (expression) => compile(expression)(variables));
  if (typeof judged === 'boolean') return judged;
  if (failurePolicy === 'Ignore') return false;
  throw forbidden(attributes.type, attributes.name, judged);
}

/** Whether conditions hold, or why that cannot be said. */
export function judgeConditions(
  conditions: readonly MatchCondition[],
  evaluate: (expression: string) => unknown,
): boolean | string {
  const problems: string[] = [];
  for (const { expression = '' } of conditions) {
    try {
      if (evaluate(expression) !== true) return false;
    } catch (error) {
      problems.push(`expression '${expression}' resulted in error: ${evaluationReason(error)}`);
    }
  }
  if (problems.length === 0) return true;
  return problems.length === 1 ? (problems[0] ?? '') : `[${[...new Set(problems)].join(', ')}]`;
}

function compile(expression: string): Evaluate {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const made = expressionEnvironment().parse(replaceCalls(expression.trim())) as Evaluate;
  compiled.set(expression, made);
  return made;
}
