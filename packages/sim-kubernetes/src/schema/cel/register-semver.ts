import type { Environment } from '@marcbachmann/cel-js';

class Semver {
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    this.numbers = numbers;
    this.pre = pre;
  }
  valueOf(): string {
    return `${this.numbers.join('.')}-${this.pre.join('.')}`;
  }
}

export function registerSemver(environment: Environment): void {
  environment
    .registerType('kubernetes.Semver', Semver)
    .registerFunction('isSemver(string): bool', (text: string) => parse(text, false) !== undefined)
    .registerFunction(
      'isSemver(string, bool): bool',
      (text: string, loose: boolean) => parse(text, loose) !== undefined,
    )
    .registerFunction('semver(string): kubernetes.Semver', (text: string) => toSemver(text, false))
    .registerFunction('semver(string, bool): kubernetes.Semver', toSemver)
    .registerFunction('kubernetes.Semver.major(): int', ({ numbers }: Semver) => numbers[0] ?? 0n)
    .registerFunction('kubernetes.Semver.minor(): int', ({ numbers }: Semver) => numbers[1] ?? 0n)
    .registerFunction('kubernetes.Semver.patch(): int', ({ numbers }: Semver) => numbers[2] ?? 0n)
    .registerFunction(
      'kubernetes.Semver.isLessThan(kubernetes.Semver): bool',
      (a: Semver, b: Semver) => compare(a, b) < 0,
    )
    .registerFunction(
      'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool',
      (a: Semver, b: Semver) => compare(a, b) > 0,
    )
    .registerFunction('kubernetes.Semver.compareTo(kubernetes.Semver): int', (a: Semver, b: Semver) =>
      BigInt(compare(a, b)),
    );
}

function parse(text: string, loose: boolean): Semver | undefined {
  const shape = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
  const parts = shape.exec(loose ? normalise(text) : text);
  if (!parts) return undefined;
  const pre = parts[4] === undefined ? [] : parts[4].split('.');
  if (pre.some((part) => part === '' || /^0\d+$/.test(part))) return undefined;
  return new Semver([BigInt(parts[1] ?? 0), BigInt(parts[2] ?? 0), BigInt(parts[3] ?? 0)], pre);
}

function normalise(text: string): string {
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(text) ?? [];
  const numbers = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (numbers.length < 3) numbers.push('0');
  return `${numbers.join('.')}${rest}`;
}

function toSemver(text: string, loose: boolean): Semver {
  const version = parse(text, loose);
  if (!version) throw new Error(`semver parse error during conversion from string: invalid version "${text}"`);
  return version;
}

function compare(a: Semver, b: Semver): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

function comparePart(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && otherIsNumber) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
