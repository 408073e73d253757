import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdKind, createKubeClient, createUndiciTransport, staticAuth, systemClock } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { build } from 'esbuild';
import { startControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { BenchOptions } from '../bench-options.ts';
import { forEachOf } from './for-each-of.ts';
import { startContender } from './start-contender.ts';
import type { RoundReport } from './start-contender.ts';
import { newWidget, widgetCrd, widgetKind } from './widget.ts';

/** What one contender used for the whole work: hold and reconcile all objects, then reconcile every change. */
type Figures = {
  readonly listSeconds: number;
  readonly changesSeconds: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  readonly reconciles: number;
};

/**
 * Our runtime beside controller-runtime: the same objects on the same real API server, one contender after the other,
 * as many rounds as asked for, and the median of each figure.
 */
export async function benchRuntime({ objects = 50_000, rounds = 1, say }: BenchOptions): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-runtime-'));
  const plane = await startControlPlane();
  const transport = createUndiciTransport(
    {
      access: {
        server: plane.url,
        tls: { ca: { data: plane.ca } },
        auth: staticAuth({ authorization: `Bearer ${plane.token}` }),
      },
    },
    { readFile: async () => '', modifiedMs: async () => 0, clock: systemClock },
  );
  try {
    const client = createKubeClient({ transport, userAgent: 'bench-driver', retriesWhenRefused: 10 });
    const contenders = await buildContenders(folder, say);
    await createWidgets(client, objects, say);
    const figures: Record<string, Figures[]> = {};
    let round = 0;
    for (let pass = 1; pass <= rounds; pass += 1) {
      for (const [name, command] of Object.entries(contenders)) {
        say(`pass ${pass} of ${rounds}: ${name}`);
        const measured = await measure(command, round, plane, client, objects);
        round += 1;
        say(`  ${JSON.stringify(measured)}`);
        (figures[name] ??= []).push(measured);
      }
    }
    return toResult(objects, rounds, figures);
  } finally {
    await transport.close();
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How to start a contender when the Widgets are in a given round. */
type ContenderCommand = (objects: number, round: number) => readonly [string, ...string[]];

/** Ours as it ships, as one bundle; the peer as Go builds it. */
async function buildContenders(
  folder: string,
  say: (line: string) => void,
): Promise<Readonly<Record<string, ContenderCommand>>> {
  say('building the contenders');
  const bundle = join(folder, 'contender.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'contender.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const peer = join(folder, 'peer');
  execFileSync('go', ['build', '-trimpath', '-o', peer, '.'], {
    cwd: join(import.meta.dirname, '..', 'peers', 'controller-runtime'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    ours: (objects, round) => [process.execPath, bundle, `${objects}`, `${round}`],
    unstructured: (objects, round) => [peer, `--objects=${objects}`, `--round=${round}`],
    typed: (objects, round) => [peer, `--objects=${objects}`, `--round=${round}`, '--typed'],
  };
}

async function createWidgets(client: KubeClient, objects: number, say: (line: string) => void): Promise<void> {
  await client.create(crdKind, widgetCrd);
  const established = async (): Promise<boolean> => {
    const crd = await client.get(crdKind, { name: 'widgets.bench.tributary.dev' });
    const { conditions = [] } = (crd['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  };
  while (!(await established()));
  say(`creating ${objects} Widgets`);
  await forEachOf(objects, 32, async (index) => void (await client.create(widgetKind, newWidget(index))));
}

async function setRound(client: KubeClient, objects: number, round: number): Promise<void> {
  await forEachOf(objects, 32, async (index) => {
    const { metadata } = newWidget(index);
    const patch = { type: 'merge', body: { spec: { round } } } as const;
    await client.patch(widgetKind, { namespace: metadata.namespace, name: metadata.name ?? '' }, patch);
  });
}

async function measure(
  command: ContenderCommand,
  round: number,
  plane: ControlPlane,
  client: KubeClient,
  objects: number,
): Promise<Figures> {
  const contender = startContender(command(objects, round), plane.kubeconfigPath);
  try {
    const listed = await contender.listed;
    const changed = contender.expectRound(round + 1);
    await setRound(client, objects, round + 1);
    return toFigures(listed, await changed);
  } finally {
    await contender.stop();
  }
}

function toFigures(listed: RoundReport, changed: RoundReport): Figures {
  return {
    listSeconds: listed.wallMs / 1000,
    changesSeconds: changed.wallMs / 1000,
    wallSeconds: (listed.wallMs + changed.wallMs) / 1000,
    cpuSeconds: changed.cpuMs / 1000,
    peakRssMb: changed.peakRssMb,
    reconciles: changed.reconciles,
  };
}

function toResult(objects: number, rounds: number, figures: Readonly<Record<string, readonly Figures[]>>): unknown {
  const ours = medians(figures['ours'] ?? []);
  const controllerRuntime = {
    unstructured: medians(figures['unstructured'] ?? []),
    typed: medians(figures['typed'] ?? []),
  };
  return {
    objects,
    rounds,
    ours,
    controllerRuntime,
    ratios: ratios(ours, controllerRuntime.unstructured),
    ratiosToTyped: ratios(ours, controllerRuntime.typed),
  };
}

function ratios(ours: Figures, theirs: Figures): { wall: number; cpu: number; rss: number } {
  const ratio = (a: number, b: number): number => Math.round((a / b) * 100) / 100;
  return {
    wall: ratio(ours.wallSeconds, theirs.wallSeconds),
    cpu: ratio(ours.cpuSeconds, theirs.cpuSeconds),
    rss: ratio(ours.peakRssMb, theirs.peakRssMb),
  };
}

function medians(all: readonly Figures[]): Figures {
  const median = (of: (figures: Figures) => number): number => {
    const sorted = all.map(of).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    listSeconds: median(({ listSeconds }) => listSeconds),
    changesSeconds: median(({ changesSeconds }) => changesSeconds),
    wallSeconds: median(({ wallSeconds }) => wallSeconds),
    cpuSeconds: median(({ cpuSeconds }) => cpuSeconds),
    peakRssMb: median(({ peakRssMb }) => peakRssMb),
    reconciles: median(({ reconciles }) => reconciles),
  };
}
