import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { widgetJson } from './testing/widget-json.ts';

function bytesPerObject(what: 'stripped' | 'whole'): number {
  const program = join(import.meta.dirname, 'testing', 'measure-store.ts');
  const env = { ...process.env, NODE_V8_COVERAGE: '' };
  return Number(execFileSync(process.execPath, ['--expose-gc', program, what], { encoding: 'utf8', env }));
}

test('an object of 1.4 KB takes less than 2 KB, so that 50,000 fit in 100 MB, because managed fields are dropped', () => {
  expect(widgetJson(1, 1).length).toBeGreaterThan(1350);
  const stripped = bytesPerObject('stripped');
  const whole = bytesPerObject('whole');
  expect(stripped).toBeLessThan(2000);
  expect(stripped).toBeLessThan(whole * 0.6);
}, 30_000);
