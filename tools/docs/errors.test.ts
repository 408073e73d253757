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

function codesInDocs(): ReadonlySet<string> {
  const rows = readFileSync(join(root, 'docs', 'errors.md'), 'utf8').matchAll(/^\| `([a-z]+\/[a-z-]+)`\s*\|/gm);
  return new Set([...rows].map(([, code = '']) => code));
}

test('every error code that the sources use is explained, and none that they do not', () => {
  expect([...codesInSources()].toSorted()).toEqual([...codesInDocs()].toSorted());
});
