import type { Environment } from '@marcbachmann/cel-js';
import { compileRe2 } from '../re2.ts';
import { registerNamespace } from './cel-namespace.ts';
import { formatCel } from './format-text.ts';

/** cel-go's strings extension and Kubernetes' regular expressions, all counting code points. */
export function registerStrings(environment: Environment): void {
  registerRegex(environment);
  registerPositions(environment);
  environment
    .registerFunction('string.lowerAsci_(): string', (text: string) => ascii(text, 'A', 'Z', 32))
    .registerFunction('string.upperAsci_(): string', (text: string) => ascii(text, 'a', 'z', -32))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome)
    .registerFunction('string.format(list): string', (text: string, values: readonly unknown[]) =>
      formatCel(text, values),
    );
  registerNamespace(environment, 'strings', 'StringsNamespace').registerFunction(
    'StringsNamespace.quote(string): string',
    (_: object, text: string) => JSON.stringify(text),
  );
}

function registerRegex(environment: Environment): void {
  environment
    .registerFunction('string.matche_(string): bool', (text: string, pattern: string) => regex(pattern).test(text))
    .registerFunction('matche_(string, string): bool', (text: string, pattern: string) => regex(pattern).test(text))
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => regex(pattern).exec(text)?.[0] ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => all(text, pattern))
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
      limit < 0n ? all(text, pattern) : all(text, pattern).slice(0, Number(limit)),
    );
}

function registerPositions(environment: Environment): void {
  environment
    .registerFunction('string.indexO_(string): int', (text: string, part: string) => first(text, part, 0))
    .registerFunction('string.indexO_(string, int): int', (text: string, part: string, from: bigint) =>
      first(text, part, Number(from)),
    )
    .registerFunction('string.lastIndexO_(string): int', (text: string, part: string) => last(text, part, undefined))
    .registerFunction('string.lastIndexO_(string, int): int', (text: string, part: string, from: bigint) =>
      last(text, part, Number(from)),
    )
    .registerFunction('string.substrin_(int): string', (text: string, from: bigint) =>
      part(text, Number(from), undefined),
    )
    .registerFunction('string.substrin_(int, int): string', (text: string, from: bigint, to: bigint) =>
      part(text, Number(from), Number(to)),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => charAt(text, Number(at)));
}

function regex(pattern: string): RegExp {
  const compiled = compileRe2(pattern);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}

function all(text: string, pattern: string): string[] {
  const { source, flags } = regex(pattern);
  return Array.from(text.matchAll(new RegExp(source, `${flags}g`)), (match) => match[0]);
}

function ascii(text: string, from: string, to: string, shift: number): string {
  return text.replaceAll(new RegExp(`[${from}-${to}]`, 'g'), (char) => String.fromCharCode(char.charCodeAt(0) + shift));
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = Number(limit);
  return text.replaceAll(from, (found) => (left-- > 0 ? to : found));
}

function first(text: string, part: string, from: number): bigint {
  const chars = Array.from(text);
  if (from < 0 || from > chars.length) throw new Error(`index out of range: ${from}`);
  const wanted = Array.from(part);
  for (let at = from; at <= chars.length - wanted.length; at += 1) if (standsAt(chars, wanted, at)) return BigInt(at);
  return -1n;
}

function last(text: string, part: string, from: number | undefined): bigint {
  const chars = Array.from(text);
  if (from !== undefined && (from < 0 || from > chars.length)) throw new Error(`index out of range: ${from}`);
  const wanted = Array.from(part);
  for (let at = Math.min(from ?? chars.length, chars.length - wanted.length); at >= 0; at -= 1) {
    if (standsAt(chars, wanted, at)) return BigInt(at);
  }
  return -1n;
}

function standsAt(chars: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((char, index) => chars[at + index] === char);
}

function part(text: string, from: number, to: number | undefined): string {
  const chars = Array.from(text);
  const end = to ?? chars.length;
  if (from < 0 || from > chars.length) throw new Error(`index out of range: ${from}`);
  if (end < 0 || end > chars.length) throw new Error(`index out of range: ${end}`);
  if (from > end) throw new Error(`invalid substring range. start: ${from}, end: ${end}`);
  return chars.slice(from, end).join('');
}

function charAt(text: string, at: number): string {
  const chars = Array.from(text);
  if (at < 0 || at > chars.length) throw new Error(`index out of range: ${at}`);
  return chars[at] ?? '';
}
