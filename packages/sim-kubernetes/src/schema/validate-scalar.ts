import type { SchemaNode } from '../registry/schema-node.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import { enforcedFormat, matchesFormat } from './formats.ts';
import { goNumber, goQuote } from './go-format.ts';
import { compileRe2 } from './re2.ts';

/** The name of a value's type in OpenAPI's words. A number without a fraction is an integer: JSON cannot say more. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function checkType(value: unknown, node: SchemaNode, at: string): readonly Finding[] {
  const types = schemaTypes(node);
  const format = enforcedFormat(node);
  const actual = typeName(value);
  if (types.length === 0 && (format === '' || value === null)) return [];
  const fits = types.includes(actual) || (actual === 'integer' && types.includes('number'));
  if (value === null) return node.nullable === true ? [] : [wrongType(at, types.join(','), 'null')];
  const isText = actual === 'string' || actual === 'array';
  if (!isText && format !== '' && !fits) return [wrongType(at, format, goFormat(actual))];
  const numeric = types.includes('number') || types.includes('integer');
  if (!numeric && format !== '' && isText) return [];
  return fits ? [] : [wrongType(at, types.join(','), actual)];
}

export function checkString(value: string, node: SchemaNode, at: string): readonly Finding[] {
  const length = node.maxLength === undefined && node.minLength === undefined ? 0 : codePoints(value);
  if (node.maxLength !== undefined && length > node.maxLength) {
    const claim = `should be at most ${node.maxLength} chars long`;
    return [{ ...finding('tooLong', at, claim, value), limit: node.maxLength }];
  }
  if (node.minLength !== undefined && length < node.minLength) {
    return [finding('invalid', at, `should be at least ${node.minLength} chars long`, value)];
  }
  if (node.pattern === undefined || node.pattern === '') return [];
  const pattern = compileRe2(node.pattern);
  if (typeof pattern === 'string') {
    return [finding('invalid', at, `should match '${node.pattern}, but pattern is invalid: ${pattern}'`, value)];
  }
  return pattern.test(value) ? [] : [finding('invalid', at, `should match '${node.pattern}'`, value)];
}

export function checkFormat(value: string, node: SchemaNode, at: string): readonly Finding[] {
  const format = enforcedFormat(node);
  if (format === '' || matchesFormat(format, value)) return [];
  return [wrongType(at, format, value)];
}

export function checkNumber(value: number, node: SchemaNode, at: string): readonly Finding[] {
  const found: Finding[] = [...outOfRange(value, node, at)];
  const { multipleOf, minimum, maximum } = node;
  if (multipleOf !== undefined) found.push(...checkMultiple(value, multipleOf, at));
  if (minimum !== undefined && (node.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const words = node.exclusiveMinimum === true ? 'greater than' : 'greater than or equal to';
    found.push(finding('invalid', at, `should be ${words} ${bound(minimum, value)}`, value));
  }
  if (maximum !== undefined && (node.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const words = node.exclusiveMaximum === true ? 'less than' : 'less than or equal to';
    found.push(finding('invalid', at, `should be ${words} ${bound(maximum, value)}`, value));
  }
  return found;
}

function schemaTypes(node: SchemaNode): readonly string[] {
  if (node['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return node.type === undefined ? [] : [node.type];
}

function wrongType(at: string, expected: string, actual: string): Finding {
  return finding('type', at, `must be of type ${expected}: ${goQuote(actual)}`, actual);
}

function goFormat(actual: string): string {
  if (actual === 'integer') return 'int64';
  return actual === 'number' ? 'float64' : '';
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Limits are printed as integers beside an integer, as the server compares them. */
function bound(limit: number, value: number): string {
  return goNumber(Number.isInteger(value) ? Math.trunc(limit) : limit);
}

function outOfRange(value: number, node: SchemaNode, at: string): readonly Finding[] {
  const format = enforcedFormat(node);
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const integer = node.type === 'integer' && (!Number.isInteger(value) || value >= limit || value < -limit);
  const float = node.type === 'number' && format === 'float' && Math.abs(value) > 3.4028234663852886e38;
  if (!integer && !float) return [];
  const kind = format === '' ? `${node.type} (default format)` : `${node.type} with format ${format}`;
  return [{ ...finding('invalid', '', '', ''), text: `Checked value must be of type ${kind} in ${at}` }];
}

/** Beside an integer the server cuts the factor to an integer as well, and then may find it to be none. */
function checkMultiple(value: number, given: number, at: string): readonly Finding[] {
  const factor = Number.isInteger(value) ? Math.trunc(given) : given;
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${at} must be positive: ${goNumber(factor)}`;
    return [{ ...finding('invalid', at, '', factor), text }];
  }
  return isMultiple(value, factor)
    ? []
    : [finding('invalid', at, `should be a multiple of ${goNumber(factor)}`, value)];
}

function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9;
}
