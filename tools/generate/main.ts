import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateCrds } from './crds.ts';
import { generateKindsPage } from './kinds-page.ts';
import { generateManifests } from './manifests.ts';

// usage: npm run generate [-- --check] [-- --with-server]
// Writes every generated file. What is made from our own sources needs Node alone; what is taken from the real API
// server is made anew with --with-server (its freshness is a test of test:real).
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, 'with-server': { type: 'boolean', default: false } },
});
const root = join(import.meta.dirname, '..', '..');
const files = new Map([...generateCrds(), ...generateManifests(), ...generateKindsPage()]);
if (values['with-server']) {
  const { generateBuiltinKinds } = await import('./builtin-kinds.ts');
  const { generateProtobufTables, protobufTablesPath } = await import('./protobuf-tables.ts');
  for (const [path, text] of await generateBuiltinKinds(process.env)) files.set(path, text);
  files.set(protobufTablesPath, generateProtobufTables());
}
const stale = [...files].filter(([path, text]) => read(path) !== text);
if (values.check) {
  for (const [path] of stale) console.error(`not fresh: ${path} (npm run generate)`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
console.log(`generated files: ${files.size} looked at, ${stale.length} ${values.check ? 'not fresh' : 'written'}`);

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
