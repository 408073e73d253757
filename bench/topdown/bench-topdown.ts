import type { KubeObject } from '@tributary/runtime';
import type { AuditLog } from '../audit-log.ts';
import type { BenchOptions } from '../bench-options.ts';
import { percentile } from '../percentile.ts';
import { createPods, deletePods, nameOf, settle, toPod, untilGone, untilRunning, watchPods } from './burst.ts';
import type { Marks } from './burst.ts';
import { measureIdle } from './idle.ts';
import type { Idle } from './idle.ts';
import { takeRequests } from './requests.ts';
import type { PerSide } from './requests.ts';
import type { BenchSyncer } from './start-syncer.ts';
import { mountNamespace, startTwoClusters } from './two-clusters.ts';
import type { TwoClusters } from './two-clusters.ts';

type Percentiles = { readonly p50: number; readonly p99: number };

/** What one burst cost. Times are from the moment a pod is asked for; requests are the syncer's own. */
export type BurstResult = {
  readonly pods: number;
  readonly token: boolean;
  readonly physicalCreatedMs: Percentiles;
  readonly virtualRunningMs: Percentiles;
  /** Over the same burst created directly in P, median against median. */
  readonly addedLatencyMs: number;
  readonly podsPerSecond: number;
  readonly requestsPerPod: PerSide;
  readonly requestsPerDelete: PerSide;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
};

const podsPerNode = 400;

/** liqo's method: bursts of pods through the syncer and, for comparison, without it. `--objects 10000` for one burst of that size. */
export async function benchTopdown({ objects, say }: BenchOptions): Promise<Result> {
  const sizes = objects === undefined ? [10, 100, 1000] : [objects];
  const clusters = await startTwoClusters(Math.max(5, Math.ceil(Math.max(...sizes) / podsPerNode)), say);
  const watches = new AbortController();
  try {
    await openWatches(clusters, watches.signal);
    // Before the syncer runs: it would take pods of others for a reason to lend less of their nodes.
    const directMs = new Map<number, readonly number[]>();
    for (const pods of sizes) directMs.set(pods, await runDirectly(clusters, pods, say));
    const bursts: BurstResult[] = [];
    let idle: Idle = { pods: 0, seconds: 0, requests: { virtual: 0, physical: 0 } };
    for (const token of [false, true]) {
      // A process of its own for each series: peak memory is that of its largest burst and of nothing before it.
      const syncer = await clusters.startSyncer();
      try {
        await payForTheFirst(clusters);
        for (const pods of sizes) {
          const burst = { pods, token, directMs: directMs.get(pods) ?? [] };
          const result = await runBurst(clusters, syncer, burst, say);
          say(`  ${JSON.stringify(result)}`);
          bursts.push(result);
        }
        if (token) idle = await measureIdle(clusters, syncer, say);
      } finally {
        await syncer.stop();
      }
    }
    return { bursts, idle };
  } finally {
    watches.abort();
    await clusters.stop();
  }
}

type Result = { readonly bursts: readonly BurstResult[]; readonly idle: Idle };
type Burst = { readonly pods: number; readonly token: boolean; readonly directMs: readonly number[] };
type Say = (line: string) => void;

async function openWatches({ virtual, physical }: TwoClusters, signal: AbortSignal): Promise<void> {
  watchPods(virtual.connection, 'default', nameOf).end();
  watchPods(physical.connection, mountNamespace, nameOf).end();
  for (const { connection } of [virtual, physical]) {
    connection.cache.start(signal);
    await connection.cache.waitForSync();
  }
}

/** One pod pays for what is made only once: a priority class, the ConfigMap with V's certificate. */
async function payForTheFirst({ virtual }: TwoClusters): Promise<void> {
  const { client } = virtual.connection;
  const seen = watchPods(virtual.connection, 'default', nameOf);
  await createPods(client, 1, (name) => toPod({ namespace: 'default', token: true }, `first-${name}`));
  await untilRunning(seen.marks, 1);
  await deletePods(client, 'default', [...seen.marks.keys()]);
  await untilGone('the first pod', seen.size);
  seen.end();
  await settle();
}

async function runBurst(
  clusters: TwoClusters,
  syncer: BenchSyncer,
  { pods, token, directMs }: Burst,
  say: Say,
): Promise<BurstResult> {
  const { virtual, physical } = clusters;
  const { client } = virtual.connection;
  say(`${pods} pods ${token ? 'with a token' : 'plain'}: through the syncer`);
  takeAll(virtual.audit, physical.audit);
  await syncer.loopDelayMs();
  const below = watchPods(physical.connection, mountNamespace, virtualNameOf);
  const above = watchPods(virtual.connection, 'default', nameOf);
  const cpuBefore = syncer.cpuSeconds();
  const startMs = performance.now();
  const asked = await createPods(client, pods, (name) => toPod({ namespace: 'default', token }, name));
  await untilRunning(above.marks, pods, syncer.mustRun);
  const tookMs = performance.now() - startMs;
  await settle();
  const cpuSeconds = syncer.cpuSeconds() - cpuBefore;
  say(`  its event loop was late by at most ${await syncer.loopDelayMs()} ms`);
  const created = perPod(takeRequests(clusters, say), pods);
  await deletePods(client, 'default', [...asked.keys()]);
  await untilGone('the pods of V', above.size);
  await untilGone('the pods of P', below.size);
  await settle();
  const deleted = perPod(takeRequests(clusters, say), pods);
  above.end();
  below.end();
  const running = timesOf(asked, above.marks, 'runningMs');
  return {
    pods,
    token,
    physicalCreatedMs: percentilesOf(timesOf(asked, below.marks, 'seenMs')),
    virtualRunningMs: percentilesOf(running),
    addedLatencyMs: Math.round(percentile(running, 50) - percentile(directMs, 50)),
    podsPerSecond: round((pods / tookMs) * 1000, 1),
    requestsPerPod: created,
    requestsPerDelete: deleted,
    cpuSeconds: round(cpuSeconds, 2),
    peakRssMb: syncer.peakRssMb(),
  };
}

/** The same pods by the same hand, but in P itself: what a burst costs without us. */
async function runDirectly({ physical }: TwoClusters, pods: number, say: Say): Promise<readonly number[]> {
  say(`${pods} pods directly in P`);
  const { client } = physical.connection;
  const seen = watchPods(physical.connection, mountNamespace, nameOf);
  const asked = await createPods(client, pods, (name) => toPod({ namespace: mountNamespace, token: false }, name));
  await untilRunning(seen.marks, pods);
  await deletePods(client, mountNamespace, [...asked.keys()]);
  await untilGone('the pods', seen.size);
  seen.end();
  return timesOf(asked, seen.marks, 'runningMs');
}

function virtualNameOf({ metadata }: KubeObject): string {
  return metadata.annotations?.['kubeocean.io/virtual-pod-name'] ?? nameOf({ metadata });
}

function timesOf(asked: ReadonlyMap<string, number>, marks: Marks, field: 'seenMs' | 'runningMs'): readonly number[] {
  return [...asked].map(([name, askedMs]) => (marks.get(name)?.[field] ?? Number.NaN) - askedMs);
}

function percentilesOf(times: readonly number[]): Percentiles {
  return { p50: Math.round(percentile(times, 50)), p99: Math.round(percentile(times, 99)) };
}

function perPod({ virtual, physical }: PerSide, pods: number): PerSide {
  return { virtual: round(virtual / pods, 3), physical: round(physical / pods, 3) };
}

function takeAll(...logs: readonly AuditLog[]): void {
  for (const log of logs) log.take();
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
