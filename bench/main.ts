import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench-options.ts';

/** A benchmark returns what it measured; times are only ever compared within one run. */
type Bench = {
  readonly about: string;
  readonly run: (options: BenchOptions) => Promise<unknown>;
};

const benches: Readonly<Record<string, Bench>> = {
  runtime: {
    about: 'our runtime and controller-runtime hold and reconcile the same objects of one real API server',
    run: async (options) => (await import('./runtime/bench-runtime.ts')).benchRuntime(options),
  },
  'sim-kubernetes': {
    about: 'the embedded API server beside the real one: creates, gets, lists and watch events per second',
    run: async (options) => (await import('./sim-kubernetes/bench-sim-kubernetes.ts')).benchSimKubernetes(options),
  },
};

const usage = `usage: npm run bench -- NAME [--json] [--objects N] [--rounds N]

${Object.entries(benches)
  .map(([name, { about }]) => `  ${name.padEnd(16)} ${about}`)
  .join('\n')}`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      objects: { type: 'string' },
      rounds: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const bench = benches[positionals[0] ?? ''];
  if (values.help || !bench) {
    console.error(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const result = await bench.run({
    objects: toCount('--objects', values.objects),
    rounds: toCount('--rounds', values.rounds),
    say: (line) => console.error(line),
  });
  console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, undefined, 2));
}

function toCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${flag} takes a whole number above 0, not "${text}"`);
  return count;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
