import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test("the controller in the runtime's README is the one that is tested", () => {
  expect(read('packages/runtime/README.md')).toContain(read('examples/greeting/greeting-controller.ts'));
});

test('the controller of a newcomer has no more than forty lines', () => {
  const lines = read('examples/greeting/greeting-controller.ts').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
});
