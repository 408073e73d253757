// One step of a field path as `fieldsV1` writes it: `f:name`, `k:{"key":"value"}`, `v:"item"` or `i:3`.
import { goJsonInOrder, goNumber, goQuote } from '../schema/go-format.ts';

export type KeyField = readonly [name: string, value: unknown];

export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The fields must be in order of their names. */
export function keyElement(fields: readonly KeyField[]): string {
  return `k:{${fields.map(([name, value]) => `${goJsonInOrder(name)}:${goJsonInOrder(value)}`).join(',')}}`;
}

export function valueElement(value: unknown): string {
  return `v:${goJsonInOrder(value)}`;
}

/** As errors and conflicts show it. */
export function elementText(element: string): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${keyFields(content)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueText(JSON.parse(content))}]`;
    default:
      return `[${content}]`;
  }
}

export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

/** Reads an element that a client wrote into the form that we write. `undefined`: of a kind that nobody knows. */
export function readElement(text: string): string | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'v':
      return valueElement(JSON.parse(content));
    case 'k':
      return keyElement(keyFields(content));
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) throw new Error(`invalid index: ${content}`);
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

function keyFields(content: string): readonly KeyField[] {
  const fields = JSON.parse(content) as unknown;
  if (typeof fields !== 'object' || fields === null) throw new Error(`invalid key: ${content}`);
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'number' ? goNumber(value) : String(value);
}

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

export function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  const kind = a[0] ?? '';
  if (kind !== b[0]) return (ranks[kind] ?? 0) - (ranks[b[0] ?? ''] ?? 0);
  if (kind === 'f') return a < b ? -1 : 1;
  if (kind === 'k') return compareKeys(keyFields(a.slice(2)), keyFields(b.slice(2)));
  return compareScalars(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const typeRanks: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 };

function compareScalars(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return (typeRanks[typeof a] ?? 3) - (typeRanks[typeof b] ?? 3);
  if (a === b || typeof a === 'object') return 0;
  return (a as string | number) < (b as string | number) ? -1 : 1;
}
