import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Hop = { readonly file: string; readonly name: string };

function hopsOf(page: string): readonly Hop[] {
  const rows = [...page.matchAll(/^\| \d+ +\| `([^`]+)` +\| `([^`]+)` /gm)];
  return rows.map(([, file = '', name = '']) => ({ file, name }));
}

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
};

/** How often each function of the operator ran while one Ingress went through it. */
function runScenario(): (hop: Hop) => number {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  try {
    const scenario = join(import.meta.dirname, 'trace-ingress-scenario.ts');
    execFileSync(process.execPath, [scenario], { env: { ...process.env, NODE_V8_COVERAGE: folder }, stdio: 'pipe' });
    const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage);
    const scripts = reports.flatMap(({ result }) => result);
    return ({ file, name }) =>
      scripts
        .filter(({ url }) => url.endsWith(`/packages/cloudflare/src/${file}`))
        .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every function that the page names runs when an Ingress goes through the operator', { timeout: 60_000 }, () => {
  const hops = hopsOf(readFileSync('docs/trace-ingress.md', 'utf8'));
  expect(hops.length).toBeGreaterThan(10);
  const runsOf = runScenario();
  expect(hops.filter((hop) => runsOf(hop) === 0)).toEqual([]);
  expect(runsOf({ file: 'engine/l5-sync/plan.ts', name: 'noSuchFunction' })).toBe(0);
});
