import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/**
 * Compares answers with a file that was written by the real server: `TRIBUTARY_GOLDEN=write` with
 * TRIBUTARY_SERVER=real writes it anew. The embedded server can never write it.
 */
export function useGolden(name: string): (key: string, value: unknown) => void {
  const folder = new URL('../fixtures/golden/', import.meta.url);
  const file = new URL(`${name}.json`, folder);
  const writing = process.env['TRIBUTARY_GOLDEN'] === 'write' && process.env['TRIBUTARY_SERVER'] === 'real';
  const golden = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
  const seen: Record<string, unknown> = {};
  afterAll(() => {
    if (!writing) return;
    mkdirSync(folder, { recursive: true });
    const sorted = Object.fromEntries(Object.entries(seen).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(file, `${JSON.stringify(sorted, undefined, 1)}\n`);
  });
  return (key, value) => {
    if (key in seen) throw new Error(`golden key ${key} is used twice`);
    const plain: unknown = JSON.parse(JSON.stringify(value));
    seen[key] = plain;
    if (writing) return;
    if (!(key in golden)) throw new Error(`the golden file ${name}.json does not know ${key}`);
    expect(plain).toEqual(golden[key]);
  };
}
