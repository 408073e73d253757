import type { Environment } from '@marcbachmann/cel-js';
import { replaceCalls, restoreCalls, usesVariable } from './cel-source.ts';

/** Why the server would not compile an expression, in the form of cel-go; undefined when it would. */
export function compileProblem(
  environment: Environment,
  source: string,
  wanted: 'bool' | 'string' | 'any',
): string | undefined {
  const ours = replaceCalls(source);
  // The library has `cel.bind`, the server has not.
  if (usesVariable(source, 'cel')) return located(source, source.indexOf('cel'), undeclared('cel'));
  const result = environment.check(ours);
  if (!result.valid) return result.error ? describe(environment, result.error, source) : 'compilation failed';
  const undefinedField = hasOfUndefined(environment, ours);
  if (undefinedField) return located(source, undefinedField.at, `undefined field '${undefinedField.name}'`);
  if (wanted === 'any' || String(result.type) === wanted) return undefined;
  return wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
}

type CelProblem = {
  readonly code?: string;
  readonly message: string;
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly node?: unknown;
};

function describe(environment: Environment, error: CelProblem, source: string): string {
  const text = restoreCalls(error.message.split('\n')[0] ?? '');
  const start = error.range?.start ?? 0;
  switch (error.code ?? '') {
    case 'no_such_key':
      return located(source, start - 1, `undefined field '${text.replace('No such key: ', '')}'`);
    case 'unknown_variable':
      return located(source, start, undeclared(text.replace('Unknown variable: ', '')));
    case 'no_such_overload':
      return located(source, operatorAt(error, start), overloadText(text));
    case 'no_matching_overload':
      return located(source, callAt(source, error, start), callText(environment, text));
    case 'incompatible_ternary_branches':
      return located(source, operatorAt(error, start), ternaryText(text));
    case 'unexpected_token':
    case 'unexpected_character':
      return located(source, start, syntaxText(text));
    default:
      return located(source, start, text);
  }
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function syntaxText(text: string): string {
  if (text.endsWith('EOF')) return `Syntax error: mismatched input '<EOF>' expecting ${beginnings}`;
  return `Syntax error: mismatched input '${/'(.*)'/.exec(text)?.[1] ?? text.split(': ')[1] ?? ''}' expecting <EOF>`;
}

function ternaryText(text: string): string {
  const types = /got '(.*)' and '(.*)'/.exec(text);
  return `found no matching overload for '_?_:_' applied to '(bool, ${goType(types?.[1] ?? '')}, ${goType(types?.[2] ?? '')})'`;
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
  const unary = /^no such overload: ([!-])(.+)$/.exec(text);
  if (unary) return `found no matching overload for '${unary[1]}_' applied to '(${goType(unary[2] ?? '')})'`;
  const binary = /^no such overload: (.+) (\S+) (.+)$/.exec(text);
  if (!binary) return text;
  const operator = binary[2] === 'in' ? '@in' : `_${binary[2]}_`;
  const types = `${goType(binary[1] ?? '')}, ${goType(binary[3] ?? '')}`;
  return `found no matching overload for '${operator}' applied to '(${types})'`;
}

function callText(environment: Environment, text: string): string {
  const parts = /'(?:(.+)\.)?(\w+)\((.*)\)'/.exec(text);
  const name = parts?.[2];
  if (!parts || name === undefined) return text;
  const known = environment.getDefinitions().functions.some((known) => restoreCalls(known.name) === name);
  if (!known) return undeclared(name);
  const receiver = parts[1] === undefined ? '' : `${goType(parts[1])}.`;
  return `found no matching overload for '${name}' applied to '${receiver}(${goType(parts[3] ?? '')})'`;
}

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

/** `list<int>` is `list(int)` in the words of cel-go. */
function goType(type: string): string {
  return type.replaceAll('<', '(').replaceAll('>', ')');
}

/** The library lets `has(self.x)` pass for any x; the server does not. */
function hasOfUndefined(
  environment: Environment,
  source: string,
): { readonly name: string; readonly at: number } | undefined {
  for (const argument of hasArguments(source)) {
    const result = environment.check(argument.text);
    const code = result.valid ? undefined : (result.error as CelProblem | undefined)?.code;
    if (code === 'no_such_key') return { name: argument.name, at: argument.at };
  }
  return undefined;
}

function hasArguments(
  source: string,
): readonly { readonly text: string; readonly name: string; readonly at: number }[] {
  return Array.from(source.matchAll(/(?<![\w.])HaS\(\s*((?:self|oldSelf)(?:\.\w+)*\.(\w+))\s*\)/g), (match) => ({
    text: match[1] ?? '',
    name: match[2] ?? '',
    at: match.index + 'has'.length,
  }));
}
