import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/**
 * What the real server answered: `expect(answer).toEqual(golden('key'))`. `TRIBUTARY_GOLDEN=write` with
 * TRIBUTARY_SERVER=real writes the file anew; the embedded server can never write it.
 */
export function useGolden(name: string): (key: string) => unknown {
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
  return (key) => {
    if (writing) return recorder(seen, key);
    if (!(key in golden)) throw new Error(`the golden file ${name}.json does not know ${key}`);
    return golden[key];
  };
}

/** An asymmetric matcher that accepts every value and remembers it. */
function recorder(seen: Record<string, unknown>, key: string): unknown {
  return {
    $$typeof: Symbol.for('jest.asymmetricMatcher'),
    asymmetricMatch: (actual: unknown): boolean => {
      seen[key] = actual;
      return true;
    },
    toString: () => 'recorder',
  };
}
