import { dnsRecordKind } from '@tributary/cloudflare';
import { isTrue } from '@tributary/runtime';
import type { BenchOptions } from '../bench-options.ts';
import { forEachOf } from '../runtime/for-each-of.ts';
import { tally, writesOf } from '../audit-log.ts';
import { operatorAgent, startBenchWorld } from './bench-world.ts';
import type { BenchWorld } from './bench-world.ts';
import { createManifest } from './create-manifest.ts';
import { percentile } from '../percentile.ts';
import { until } from '../until.ts';

const domain = 'example.net';
const bad = 500;

/** Many DNSRecords of one paid zone, there before the operator starts, one of them such that only Cloudflare refuses it. */
export async function benchDns1k(options: BenchOptions): Promise<unknown> {
  return withRecords(options, async (world) => converge(world, options));
}

/** The same, and then the operator is started again: what does that cost? */
export async function benchRestart(options: BenchOptions): Promise<unknown> {
  return withRecords(options, async (world) => {
    await converge(world, options);
    world.audit.take();
    world.sim.journal.clear();
    options.say('starting it again');
    const stop = world.startReplicas(1);
    await world.quiet(20_000);
    await stop();
    const writes = writesOf(operatorAgent, world.audit.take());
    options.say(JSON.stringify(tally(writes)));
    return {
      apiReads: world.sim.journal.count({ write: false }),
      apiWrites: world.sim.journal.count({ write: true }),
      kubernetesWrites: writes.length,
    };
  });
}

/** One change among many objects: how long until Cloudflare has it. */
export async function benchLatency(options: BenchOptions): Promise<unknown> {
  const { rounds = 100, say } = options;
  return withRecords(options, async (world, count) => {
    const stop = world.startReplicas(1);
    await until('all records are there', () => landed(world) >= count - 1, 180_000);
    await world.quiet(5000);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const index = (round * 7) % bad;
      const content = `198.51.100.${round % 250}`;
      const startMs = performance.now();
      const body = { spec: { content } };
      await world.client.patch(dnsRecordKind, toRef(index), { type: 'merge', body });
      await until('the change is there', () => contentOf(world, index) === content, 20_000);
      times.push(performance.now() - startMs);
    }
    await stop();
    say(`p50 ${Math.round(percentile(times, 50))} ms, p90 ${Math.round(percentile(times, 90))} ms`);
    return {
      changes: rounds,
      debounceMs: 500,
      p50Ms: Math.round(percentile(times, 50)),
      p99Ms: Math.round(percentile(times, 99)),
    };
  });
}

async function withRecords(
  { objects = 1000, say }: BenchOptions,
  run: (world: BenchWorld, count: number) => Promise<unknown>,
): Promise<unknown> {
  const world = await startBenchWorld(say);
  try {
    say(`creating ${objects} DNSRecords`);
    await forEachOf(objects, 20, async (index) => {
      const content = index === bad ? '127.0.0.1' : `203.0.113.${index % 250}`;
      await createManifest(world.client, dnsRecordKind, {
        metadata: toRef(index),
        spec: { name: `host-${index}.${domain}`, type: 'A', content, proxied: index === bad, cloudflare: { domain } },
      });
    });
    world.audit.take();
    return await run(world, objects);
  } finally {
    await world.stop();
  }
}

async function converge(world: BenchWorld, { objects = 1000, say }: BenchOptions): Promise<object> {
  say('starting the operator');
  world.sim.journal.clear();
  const startMs = performance.now();
  const stop = world.startReplicas(1);
  await until('all records but one are there', () => landed(world) >= objects - 1, 180_000);
  const seconds = (performance.now() - startMs) / 1000;
  await world.quiet(10_000);
  await stop();
  const writes = writesOf(operatorAgent, world.audit.take());
  say(JSON.stringify(tally(writes)));
  const { items } = await world.client.list(dnsRecordKind);
  const failed = items.filter(({ status }) => !isTrue(status?.conditions, 'Ready'));
  return {
    records: objects,
    seconds: Math.round(seconds * 10) / 10,
    apiCalls: world.sim.journal.count(),
    kubernetesWrites: writes.length,
    blamed: failed.filter(({ metadata }) => metadata.name === toRef(bad).name).length,
    blamedWrongly: failed.filter(({ metadata }) => metadata.name !== toRef(bad).name).length,
    landed: landed(world),
    said: failed[0]?.status?.conditions?.[0]?.message,
  };
}

function toRef(index: number): { readonly namespace: string; readonly name: string } {
  return { namespace: 'default', name: `host-${index}` };
}

type Row = { readonly name: string; readonly content: string };

function rows({ sim }: BenchWorld): readonly Row[] {
  const zone = sim.zones.find(({ name }) => name === domain);
  return zone ? (sim.state.rows('dns_records', zone.id) as readonly Row[]) : [];
}

function landed(world: BenchWorld): number {
  return rows(world).length;
}

function contentOf(world: BenchWorld, index: number): string | undefined {
  return rows(world).find(({ name }) => name === `host-${index}.${domain}`)?.content;
}
