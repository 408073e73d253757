import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  createController,
  createKubeClient,
  createObjectCache,
  createUndiciTransport,
  settled,
  silentLog,
  staticAuth,
  systemClock,
  toRef,
  watch,
} from '@tributary/runtime';
import { widgetKind } from './widget.ts';

// The work: hold every Widget in the cache, reconcile each, and again whenever its round changes. Prints one JSON line
// when all have been seen in the round they are in; a line "N" on standard input starts the clock of round N.
let startedAt = performance.timeOrigin;
const total = Number(process.argv[2] ?? 50_000);
const seen = new Map<string, number>();
let round = Number(process.argv[3] ?? 0);
let inRound = 0;
let reconciles = 0;

function note(key: string, itsRound: number): void {
  reconciles += 1;
  if (itsRound === round && seen.get(key) !== itsRound) {
    inRound += 1;
    if (inRound === total) report();
  }
  seen.set(key, itsRound);
}

function begin(next: number): void {
  startedAt = Date.now();
  round = next;
  inRound = [...seen.values()].filter((value) => value === next).length;
  if (inRound === total) report();
}

function report(): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const line = {
    round,
    wallMs: Math.round(Date.now() - startedAt),
    cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000),
    peakRssMb: Math.round(maxRSS / 1024),
    reconciles,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

type Kubeconfig = {
  readonly clusters: [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: [{ readonly user: { readonly token: string } }];
};

const kubeconfig = JSON.parse(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8')) as Kubeconfig;
const [{ cluster }] = kubeconfig.clusters;
const [{ user }] = kubeconfig.users;
const transport = createUndiciTransport(
  {
    access: {
      server: cluster.server,
      tls: { ca: { data: Buffer.from(cluster['certificate-authority-data'], 'base64').toString() } },
      auth: staticAuth({ authorization: `Bearer ${user.token}` }),
    },
  },
  { readFile: async () => '', modifiedMs: async () => 0, clock: systemClock },
);
const client = createKubeClient({ transport });
const cache = createObjectCache({ client, clock: systemClock, random: Math.random });
const widgets = cache.informer(widgetKind);
const controller = createController(
  {
    name: 'widgets',
    watches: [watch(widgetKind)],
    reconcile: async (key) => {
      const widget = widgets.get(toRef(key));
      if (widget) note(key, widget.spec.round);
      return settled;
    },
  },
  { cache, clock: systemClock, random: Math.random, log: silentLog },
);
const abort = new AbortController();
cache.start(abort.signal);
createInterface(process.stdin).on('line', (line) => begin(Number(line)));
await controller.run(abort.signal);
