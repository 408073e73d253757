import { badRequest } from '../registry/api-error.ts';
import { checkLabelValue, checkQualifiedName } from '../registry/name-checks.ts';
import { goQuote } from '../schema/go-format.ts';

type Labels = { readonly [key: string]: string };
type Operator = 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<' | 'exists' | '!';
type Requirement = { readonly key: string; readonly operator: Operator; readonly values: readonly string[] };
type Token = { readonly kind: 'word' | 'symbol' | 'end'; readonly text: string };

const binaryOperators = 'in, notin, =, ==, !=, gt, lt';
const comparisons = new Set(['in', 'notin', '=', '==', '!=', '>', '<']);

/** Reads a selector as `kubectl -l` writes it; `undefined` when it selects everything. Faults are named as the API does. */
export function parseLabelSelector(text: string): ((labels: Labels) => boolean) | undefined {
  const requirements = parse(tokensOf(text));
  if (requirements.length === 0) return undefined;
  return (labels) => requirements.every((requirement) => matches(requirement, labels));
}

function matches({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case '>':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0]);
    case '<':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0]);
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    default:
      return operator satisfies never;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, symbol, word] of text.matchAll(/\s*(==|!=|[=!(),<>])|\s*([^\s=!(),<>]+)/g)) {
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

/** The tokens not yet read. */
type Cursor = { readonly peek: () => Token; readonly take: () => Token };

function cursorOf(tokens: readonly Token[]): Cursor {
  let position = 0;
  const at = (index: number): Token => tokens[index] ?? { kind: 'end', text: '' };
  return { peek: () => at(position), take: () => at(position++) };
}

function parse(tokens: readonly Token[]): readonly Requirement[] {
  const cursor = cursorOf(tokens);
  const requirements: Requirement[] = [];
  for (;;) {
    const next = cursor.peek();
    if (next.kind === 'end') return requirements;
    if (!startsRequirement(next)) {
      throw badRequest(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(cursor));
    const after = cursor.take();
    if (after.kind === 'end') return requirements;
    if (after.text !== ',' || after.kind !== 'symbol') {
      throw badRequest(`found '${after.text}', expected: ',' or 'end of string'`);
    }
    if (!startsRequirement(cursor.peek())) {
      throw badRequest(`found '${cursor.peek().text}', expected: identifier after ','`);
    }
  }
}

const startsRequirement = ({ kind, text }: Token): boolean => kind === 'word' || (kind === 'symbol' && text === '!');

function parseRequirement(cursor: Cursor): Requirement {
  let key = cursor.take();
  const negated = key.kind === 'symbol';
  if (negated) key = cursor.take();
  if (key.kind !== 'word') throw refuse(`found '${key.text}', expected: identifier`);
  checkKey(key.text);
  const next = cursor.peek();
  if (negated) return { key: key.text, operator: '!', values: [] };
  if (next.kind === 'end' || (next.kind === 'symbol' && next.text === ',')) {
    return { key: key.text, operator: 'exists', values: [] };
  }
  const { text } = cursor.take();
  if (!comparisons.has(text)) throw refuse(`found '${text}', expected: ${binaryOperators}`);
  const operator = text as Operator;
  const values = operator === 'in' || operator === 'notin' ? parseValues(cursor) : [parseValue(cursor)];
  values.forEach((value, index) => checkValue(key.text, value, operator, index));
  return { key: key.text, operator, values };
}

function parseValue(cursor: Cursor): string {
  const next = cursor.peek();
  if (next.kind === 'end' || (next.kind === 'symbol' && next.text === ',')) return '';
  if (cursor.take().kind !== 'word') throw refuse(`found '${next.text}', expected: identifier`);
  return next.text;
}

function parseValues(cursor: Cursor): readonly string[] {
  const open = cursor.take();
  if (open.text !== '(') throw refuse(`found '${open.text}' expected: '('`);
  const values = new Set<string>();
  let expectsValue = true;
  for (;;) {
    const { kind, text } = cursor.take();
    if (kind === 'word' && expectsValue) {
      values.add(text);
      expectsValue = false;
    } else if (kind === 'symbol' && (text === ',' || text === ')')) {
      // An empty place counts as the empty value: `(,a)`, `()`.
      if (expectsValue) values.add('');
      if (text === ')') return [...values].toSorted();
      expectsValue = true;
    } else throw refuse(`found '${text}', expected: ${expectsValue ? "',', ')' or identifier" : "',' or ')'"}`);
  }
}

function checkKey(key: string): void {
  const problems = checkQualifiedName(key);
  if (problems.length > 0) throw refuse(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
}

function checkValue(key: string, value: string, operator: Operator, index: number): void {
  if ((operator === '>' || operator === '<') && !/^-?\d+$/.test(value)) {
    const problem = "for 'Gt', 'Lt' operators, the value must be an integer";
    throw refuse(`values[${index}]: Invalid value: ${goQuote(value)}: ${problem}`);
  }
  const problems = checkLabelValue(value);
  if (problems.length === 0) return;
  throw refuse(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
}

const refuse = (text: string): Error => badRequest(`unable to parse requirement: ${text}`);
