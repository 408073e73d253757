import { parseArgs } from 'node:util';
import { allKinds } from '../../packages/cloudflare/src/catalog.ts';
import { fixtures } from '../../packages/cloudflare/src/testing/campaign/fixtures.ts';
import { runKind } from '../../packages/cloudflare/src/testing/campaign/run-kind.ts';
import type { KindReport } from '../../packages/cloudflare/src/testing/campaign/run-kind.ts';

// usage: npm run test:campaign [-- --json] [-- --kind DNSRecord]
// Sets, changes and removes every property of every kind on the embedded server with the simulated Cloudflare, and
// compares each step with a fresh installation of the same declaration.
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, kind: { type: 'string' } } });
const kinds = allKinds.filter(({ kind }) => fixtures[kind] && (values.kind === undefined || kind === values.kind));
const reports: KindReport[] = [];
for (const kind of kinds) {
  const report = await runKind(kind, fixtures[kind.kind] ?? { bases: [{}] });
  reports.push(report);
  tell(report, values.json ? console.error : console.log);
}
const sum = (of: (report: KindReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
const properties = sum((one) => one.properties);
const exercised = sum((one) => one.exercised);
const differences = sum(({ differences: found }) => found.length);
const coverage = properties === 0 ? 0 : Math.round((exercised / properties) * 1000) / 1000;
console.log(JSON.stringify({ kinds: reports.length, properties, exercised, coverage, differences }));
process.exitCode = coverage >= 0.9 && differences === 0 ? 0 : 1;

/** With `--json` there is one line on stdout; how far it has come, and what was found, is told beside it. */
function tell(
  { kind, properties: all, exercised: done, missed, differences: found }: KindReport,
  say: (line: string) => void,
): void {
  say(`${kind}: ${done} of ${all}`);
  for (const one of missed) say(`  not exercised: ${one}`);
  for (const one of found) say(`  differs: ${one}`);
}
