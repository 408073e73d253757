import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quickTests } from './quick-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('coverage is measured with tests that are there, pure ones of the operator among them, and none that takes long', () => {
  const files = quickTests(root);
  expect(files.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
  expect(files).toContain('packages/cloudflare/src/engine/l5-sync/plan.test.ts');
  expect(files).toContain('packages/cloudflare-api/src/errors/classify.test.ts');
  expect(files.filter((file) => /crash-|race|\.real\.|\.long\./.test(file))).toEqual([]);
});
