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
  eip: {
    about: '1,000 EIPs on a real API server and the simulated provider: calls, writes, memory',
    run: async (options) => (await import('./eip/bench-eip.ts')).benchEip(options),
  },
  'sim-kubernetes': {
    about: 'the embedded API server beside the real one: creates, gets, lists, watch events, memory',
    run: async (options) => (await import('./sim-kubernetes/bench-sim-kubernetes.ts')).benchSimKubernetes(options),
  },
  'ingress-burst': {
    about: 'a thousand Ingresses of one tunnel at once, three replicas: writes of the tunnel, lost rules',
    run: async (options) => (await import('./cloudflare/ingress-burst.ts')).benchIngressBurst(options),
  },
  'dns-1k': {
    about: 'a thousand DNSRecords, one of them refused: API calls, Kubernetes writes, who is blamed',
    run: async (options) => (await import('./cloudflare/dns-records.ts')).benchDns1k(options),
  },
  restart: {
    about: 'the same, started again: what is written',
    run: async (options) => (await import('./cloudflare/dns-records.ts')).benchRestart(options),
  },
  latency: {
    about: 'one change among a thousand DNSRecords: how long until Cloudflare has it',
    run: async (options) => (await import('./cloudflare/dns-records.ts')).benchLatency(options),
  },
  idle: {
    about: 'all in order and nothing changes, for an hour (embedded) and ten minutes (real): what is written',
    run: async (options) => (await import('./cloudflare/idle.ts')).benchIdle(options),
  },
  topdown: {
    about: 'bursts of pods from one real cluster into another: latency, requests, CPU and memory of the syncer',
    run: async (options) => (await import('./topdown/bench-topdown.ts')).benchTopdown(options),
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
