import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = join(import.meta.dirname, '../../../../docs/gateway-api.md');

test('every feature that the page on the Gateway API lists has the test that it names', () => {
  const tests = globSync('**/*.test.ts', { cwd: join(import.meta.dirname, '..') })
    .filter((file) => file !== 'scenarios/gateway-profile.test.ts')
    .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
    .join('\n');
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => /\| (yes|no|partly) +\|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(([, , , name = '']) => !tests.includes(`'${name}'`)).map(([, feature]) => feature)).toEqual([]);
});
