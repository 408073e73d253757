import { replaceCalls } from '../../schema/cel/cel-source.ts';
import { toCelValue } from '../../schema/cel/cel-values.ts';
import { evaluationReason } from '../../schema/cel/validate-rules.ts';
import type { JsonObject } from '../../registry/json.ts';
import { expressionEnvironment } from '../expression-variables.ts';
import type { Variables } from '../expression-variables.ts';
import { judgeConditions } from '../webhooks/match-conditions.ts';
import type { PolicySpec, PolicyValidation } from './policy-objects.ts';

/** What one validation has against a request; `index`: which one it is. */
export type Denial = { readonly message: string; readonly reason: string; readonly index: number };

export type PolicyResult = {
  readonly denials: readonly Denial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
};

type Evaluate = (variables: Variables) => unknown;
const compiled = new Map<string, Evaluate>();
const nothing: PolicyResult = { denials: [], annotations: [] };

/** What a policy says of a request under given parameters. What cannot be evaluated is judged by the failure policy. */
export function evaluatePolicy(
  spec: PolicySpec,
  request: Variables,
  params: JsonObject | null,
  namespace: JsonObject | null,
): PolicyResult {
  const base = { ...request, params: toCelValue(params, {}), namespaceObject: toCelValue(namespace, {}) };
  const variables = { ...base, variables: lazyVariables(spec, base) };
  const evaluate = (expression: string): unknown => compile(expression)(variables);
  const failed = (message: string, index = 0): readonly Denial[] =>
    spec.failurePolicy === 'Ignore' ? [] : [{ message, reason: 'Invalid', index }];
  const met = judgeConditions(spec.matchConditions ?? [], evaluate);
  if (met === false) return nothing;
  if (typeof met === 'string') return { ...nothing, denials: failed(met) };
  const denials = (spec.validations ?? []).flatMap((validation, index) => {
    const judged = attempt(evaluate, validation.expression ?? '');
    if ('problem' in judged) return failed(judged.problem, index);
    if (judged.value === true) return [];
    return [{ message: messageOf(validation, evaluate), reason: validation.reason ?? 'Invalid', index }];
  });
  const noted = (spec.auditAnnotations ?? []).map(({ key = '', valueExpression = '' }) => ({
    key,
    judged: attempt(evaluate, valueExpression),
  }));
  const annotations = noted.flatMap(({ key, judged }) => {
    const value = 'value' in judged && typeof judged.value === 'string' ? judged.value.trim() : '';
    return value === '' ? [] : [{ key, value }];
  });
  const faults = noted.flatMap(({ judged }) => ('problem' in judged ? failed(judged.problem) : []));
  return { denials: [...denials, ...faults], annotations };
}

type Judged = { readonly value: unknown } | { readonly problem: string };

function attempt(evaluate: (expression: string) => unknown, expression: string): Judged {
  try {
    return { value: evaluate(expression) };
  } catch (error) {
    return { problem: `expression '${expression}' resulted in error: ${evaluationReason(error)}` };
  }
}

const longestMessage = 5 * 1024;

/** What is said: as the expression for it has it, else as it stands, else the expression that failed. */
function messageOf(
  { message = '', messageExpression = '', expression = '' }: PolicyValidation,
  evaluate: (of: string) => unknown,
): string {
  const spoken = messageExpression.trim() === '' ? undefined : attempt(evaluate, messageExpression);
  const value =
    spoken !== undefined && 'value' in spoken && typeof spoken.value === 'string' ? spoken.value.trim() : '';
  if (value !== '' && Buffer.byteLength(value) <= longestMessage && !value.includes('\n')) return value;
  return message.trim() || `failed expression: ${expression.trim()}`;
}

/** Variables are evaluated when they are first spoken of, each may speak of those before it. */
function lazyVariables({ variables = [] }: PolicySpec, base: Variables): object {
  const found = {};
  for (const { name = '', expression = '' } of variables) {
    let value: unknown;
    let known = false;
    const read = (): unknown => {
      if (!known) value = evaluateVariable(name, expression, { ...base, variables: found });
      known = true;
      return value;
    };
    Object.defineProperty(found, name, { enumerable: true, get: read });
  }
  return found;
}

function evaluateVariable(name: string, expression: string, variables: Variables): unknown {
  try {
    return compile(expression)(variables);
  } catch (error) {
    throw new Error(`composited variable ${JSON.stringify(name)} fails to evaluate: ${evaluationReason(error)}`, {
      cause: error,
    });
  }
}

function compile(expression: string): Evaluate {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const environment = expressionEnvironment(['params', 'namespaceObject', 'variables']);
  const made = environment.parse(replaceCalls(expression)) as Evaluate;
  compiled.set(expression, made);
  return made;
}
