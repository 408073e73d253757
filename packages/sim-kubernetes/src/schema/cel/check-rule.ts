import type { Environment } from '@marcbachmann/cel-js';
import { replaceCalls, restoreCalls } from './cel-source.ts';

/** Why the server would not compile an expression, in the form of cel-go; undefined when it would. */
export function compileProblem(
  environment: Environment,
  source: string,
  wanted: 'bool' | 'string',
): string | undefined {
  const ours = replaceCalls(source);
  const result = environment.check(ours);
  if (!result.valid) return result.error ? describe(result.error, source) : 'compilation failed';
  const undefinedField = hasOfUndefined(environment, ours);
  if (undefinedField) return located(source, undefinedField.at, `undefined field '${undefinedField.name}'`);
  if (String(result.type) === wanted) return undefined;
  return wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
}

type CelProblem = {
  readonly code?: string;
  readonly message: string;
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly node?: unknown;
};

function describe(error: CelProblem, source: string): string {
  const text = restoreCalls(error.message.split('\n')[0] ?? '');
  const start = error.range?.start ?? 0;
  switch (error.code ?? '') {
    case 'no_such_key':
      return located(source, start - 1, `undefined field '${text.replace('No such key: ', '')}'`);
    case 'unknown_variable':
      return located(
        source,
        start,
        `undeclared reference to '${text.replace('Unknown variable: ', '')}' (in container '')`,
      );
    case 'no_such_overload':
      return located(source, operatorAt(error, start), overloadText(text));
    case 'no_matching_overload':
      return located(source, callAt(source, error, start), callText(text));
    default:
      return located(source, start, /unexpected|expected/i.test(text) ? `Syntax error: ${text}` : text);
  }
}

function located(source: string, at: number, text: string): string {
  const before = source.slice(0, Math.max(at, 0)).split('\n');
  const line = source.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${text}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** The operator of a binary expression stands behind its left side. */
function operatorAt(error: CelProblem, start: number): number {
  const node = error.node as { readonly args?: unknown; readonly input?: string } | undefined;
  const left = Array.isArray(node?.args) ? (node.args[0] as { readonly end?: number } | undefined) : undefined;
  if (left?.end === undefined || node?.input === undefined) return start;
  return left.end + (/^[\s)]*/.exec(node.input.slice(left.end))?.[0].length ?? 0);
}

/** A call is blamed at its opening bracket. */
function callAt(source: string, error: CelProblem, start: number): number {
  const bracket = source.indexOf('(', start);
  return bracket === -1 || bracket > (error.range?.end ?? source.length) ? start : bracket;
}

function overloadText(text: string): string {
  const parts = /^no such overload: (.+) (\S+) (.+)$/.exec(text);
  if (!parts) return text;
  return `found no matching overload for '_${parts[2]}_' applied to '(${parts[1]}, ${parts[3]})'`;
}

function callText(text: string): string {
  const parts = /'(?:(.+)\.)?(\w+)\((.*)\)'/.exec(text);
  if (!parts) return text;
  const receiver = parts[1] === undefined ? '' : `${parts[1]}.`;
  return `found no matching overload for '${parts[2]}' applied to '${receiver}(${parts[3]})'`;
}

/** The library lets `has(self.x)` pass for any x; the server does not. */
function hasOfUndefined(
  environment: Environment,
  source: string,
): { readonly name: string; readonly at: number } | undefined {
  for (const argument of hasArguments(source)) {
    const result = environment.check(argument.text);
    const code = result.valid ? undefined : (result.error as CelProblem | undefined)?.code;
    if (code === 'no_such_key') return { name: argument.name, at: argument.dotAt };
  }
  return undefined;
}

function hasArguments(
  source: string,
): readonly { readonly text: string; readonly name: string; readonly dotAt: number }[] {
  return Array.from(source.matchAll(/(?<![\w.])has\(\s*((?:self|oldSelf)(?:\.\w+)*\.(\w+))\s*\)/g), (match) => ({
    text: match[1] ?? '',
    name: match[2] ?? '',
    dotAt: match.index + match[0].lastIndexOf('.'),
  }));
}
