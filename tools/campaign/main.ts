import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { AnyCustomKind } from '@tributary/runtime';
import { allKinds } from '../../packages/cloudflare/src/catalog.ts';
import { fixtures } from '../../packages/cloudflare/src/testing/campaign/fixtures.ts';
import { propertiesOf } from '../../packages/cloudflare/src/testing/campaign/properties.ts';
import type { KindReport } from '../../packages/cloudflare/src/testing/campaign/run-kind.ts';
import { schemaOf } from '../../packages/cloudflare/src/testing/campaign/schema-of.ts';

// usage: npm run test:campaign [-- --json] [-- --kind DNSRecord]
// Sets, changes and removes every property of every kind on the embedded server with the simulated Cloudflare, and
// compares each step with a fresh installation of the same declaration.
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, kind: { type: 'string' } } });
const kinds = allKinds.filter(({ kind }) => fixtures[kind] && (values.kind === undefined || kind === values.kind));
const sizeOf = (kind: AnyCustomKind): number => propertiesOf(schemaOf(kind).schema).length;
// The largest first, so that none is left over for the end.
const waiting = kinds.toSorted((one, other) => sizeOf(other) - sizeOf(one)).map(({ kind }) => kind);
const reports: KindReport[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, work));
const sum = (of: (report: KindReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
const properties = sum((one) => one.properties);
const exercised = sum((one) => one.exercised);
const refused = sum((one) => one.refused.length);
const differences = sum(({ differences: found }) => found.length);
const coverage = properties === 0 ? 0 : Math.round((exercised / properties) * 1000) / 1000;
console.log(JSON.stringify({ kinds: reports.length, properties, exercised, refused, coverage, differences }));
process.exitCode = coverage >= 0.9 && differences === 0 ? 0 : 1;

/** One kind after the other, each in a thread; `once` rejects when that fails. */
async function work(): Promise<void> {
  for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
    const worker = new Worker(new URL('kind-worker.ts', import.meta.url), { workerData: kind });
    const [report] = (await once(worker, 'message')) as [KindReport];
    reports.push(report);
    tell(report, values.json ? console.error : console.log);
  }
}

/** With `--json` there is one line on stdout; how far it has come, and what was found, is told beside it. */
function tell(
  { kind, properties: all, exercised: done, refused: told, missed, differences: found }: KindReport,
  say: (line: string) => void,
): void {
  say(`${kind}: ${done} of ${all}`);
  for (const one of told) say(`  refused by name: ${one}`);
  for (const one of missed) say(`  not exercised: ${one}`);
  for (const one of found) say(`  differs: ${one}`);
}
