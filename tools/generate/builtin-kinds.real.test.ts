import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateBuiltinKinds } from './builtin-kinds.ts';

const repository = join(import.meta.dirname, '../..');

test('what is stored of the built-in kinds is what the real server says today', async () => {
  const files = await generateBuiltinKinds(process.env);
  expect(files.size).toBeGreaterThan(80);
  const stored = [...files.keys()].map((path) => [path, JSON.parse(readFileSync(join(repository, path), 'utf8'))]);
  const generated = [...files].map(([path, content]) => [path, JSON.parse(content)]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(generated));
});
