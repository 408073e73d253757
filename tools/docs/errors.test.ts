import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Codes that the sources may throw: a quoted `area/what` whose area is one that docs/errors.md knows or should know. */
function codesInSources(): ReadonlySet<string> {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\/|\/wire\/|packages\/(sim-[^/]+|testkit)\//.test(file),
  );
  const thrown = /(?:OperatorError\(\s*|[cC]ode(?:: | = ))'([a-z]+\/[a-z-]+)'/g;
  return new Set(
    files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(thrown)].map(([, code = '']) => code)),
  );
}

/** The classes of layer 6, whose codes are put together. */
function classesOfCloudflare(): readonly string[] {
  const source = readFileSync(join(root, 'packages/cloudflare-api/src/errors/error-class.ts'), 'utf8');
  const union = /export type ErrorClass =([^;]+);/.exec(source)?.[1] ?? '';
  return [...union.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => `cloudflare/${name}`);
}

function codesInDocs(): ReadonlySet<string> {
  const rows = readFileSync(join(root, 'docs', 'errors.md'), 'utf8').matchAll(/^\| `([a-z]+\/[a-z-]+)`\s*\|/gm);
  return new Set([...rows].map(([, code = '']) => code));
}

test('every error code that the sources use is explained, and none that they do not', () => {
  const used = new Set([...codesInSources(), ...classesOfCloudflare()]);
  expect([...used].toSorted()).toEqual([...codesInDocs()].toSorted());
});
