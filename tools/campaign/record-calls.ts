import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allKinds } from '../../packages/cloudflare/src/catalog.ts';
import { fixtures } from '../../packages/cloudflare/src/testing/campaign/fixtures.ts';
import { measureCalls } from '../../packages/cloudflare/src/testing/campaign/measure-calls.ts';

// usage: node tools/campaign/record-calls.ts [KIND …]
// Writes down which calls each target makes, for docs/kinds.md: run it after a target has learnt or forgotten a call.
// With kinds, only theirs are measured, and added to those that are known.
type Calls = Readonly<Record<string, readonly string[]>>;

const path = join(import.meta.dirname, '../../packages/cloudflare/src/wire/target-calls.json');
const wanted = process.argv.slice(2);
let calls: Calls = wanted.length > 0 && existsSync(path) ? read() : {};
for (const kind of allKinds) {
  const fixture = fixtures[kind.kind];
  if (!fixture || (wanted.length > 0 && !wanted.includes(kind.kind))) continue;
  for (const [target, made] of await measureCalls(kind, fixture)) {
    calls = { ...calls, [target]: [...new Set([...(calls[target] ?? []), ...made])].toSorted() };
  }
  write(calls);
  console.log(`${kind.kind} measured`);
}

function read(): Calls {
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly calls: Calls }).calls;
}

function write(all: Calls): void {
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const text = { generated: 'by tools/campaign/record-calls.ts. Do not edit.', calls: sorted };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(text, undefined, 2)}\n`);
}
