import { allKinds } from '@tributary/cloudflare';
import { createWorld } from '../../packages/cloudflare/src/testing/world.ts';
import type { BenchOptions } from '../bench-options.ts';
import { tally, writesOf } from '../audit-log.ts';
import { forEachOf } from '../runtime/for-each-of.ts';
import { operatorAgent, startBenchWorld } from './bench-world.ts';
import { createManifest } from './create-manifest.ts';
import { classKind, ingressKind, serviceKind } from './ingress-fixtures.ts';
import { mixedObjects } from './mixed-objects.ts';
import type { Manifest } from './mixed-objects.ts';

const hourMs = 60 * 60_000;

type Idle = {
  readonly minutes: number;
  /** What was there to be written. */
  readonly syncStates: number;
  readonly apiReads: number;
  readonly apiWrites: number;
  readonly kubernetesWrites: number;
};

/** All is in order and nothing changes: an hour of simulated time on the embedded server, some minutes on the real one. */
export async function benchIdle({ objects = 1000, rounds: minutes = 10, say }: BenchOptions): Promise<unknown> {
  const embedded = await idleOnEmbedded(objects, say);
  const real = await idleOnReal(objects, minutes, say);
  return {
    objects,
    embedded,
    real,
    apiWrites: embedded.apiWrites + real.apiWrites,
    kubernetesWrites: embedded.kubernetesWrites + real.kubernetesWrites,
  };
}

async function idleOnEmbedded(objects: number, say: (line: string) => void): Promise<Idle> {
  const world = await createWorld();
  try {
    await world.applyCredentials();
    say(`applying ${objects} objects to the embedded server`);
    await world.apply(mixedObjects(objects));
    const states = (): readonly SyncStateLike[] => world.list(syncStateKind()) as readonly SyncStateLike[];
    // Four fifths are records, a tenth networks, and all Ingresses share one.
    await world.waitFor(() => countSynced(states()) >= Math.floor(objects * 0.9), 10 * 60_000);
    await world.clock.advance(60_000);
    world.clearCounts();
    say('an hour of simulated time');
    await world.clock.advance(hourMs);
    return {
      minutes: 60,
      syncStates: countSynced(states()),
      apiReads: world.sim.journal.count({ write: false }),
      apiWrites: world.sim.journal.count({ write: true }),
      kubernetesWrites: world.writes().length,
    };
  } finally {
    await world.stop();
  }
}

async function idleOnReal(objects: number, minutes: number, say: (line: string) => void): Promise<Idle> {
  const world = await startBenchWorld(say);
  const stop = world.startReplicas(1);
  try {
    const manifests = mixedObjects(objects);
    say(`creating ${objects} objects on the real server`);
    await forEachOf(manifests.length, 20, async (index) => {
      const manifest = manifests[index] as Manifest;
      await createManifest(world.client, kindOf(manifest), manifest);
    });
    await world.quiet(15_000);
    world.audit.take();
    world.sim.journal.clear();
    say(`${minutes} minutes of real time`);
    await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
    const writes = writesOf(operatorAgent, world.audit.take());
    say(JSON.stringify(tally(writes)));
    const { items } = await world.client.list(syncStateKind());
    return {
      minutes,
      syncStates: countSynced(items as readonly SyncStateLike[]),
      apiReads: world.sim.journal.count({ write: false }),
      apiWrites: world.sim.journal.count({ write: true }),
      kubernetesWrites: writes.length,
    };
  } finally {
    await stop();
    await world.stop();
  }
}

type SyncStateLike = { readonly status?: { readonly syncStatus?: string } };

function countSynced(states: readonly SyncStateLike[]): number {
  return states.filter(({ status }) => status?.syncStatus === 'Synced').length;
}

type AnyKind = (typeof allKinds)[number];

function syncStateKind(): AnyKind {
  return ourKind('CloudflareSyncState');
}

function ourKind(kind: string): AnyKind {
  const found = allKinds.find((each) => each.kind === kind);
  if (!found) throw new Error(`no kind is called ${kind}`);
  return found;
}

function kindOf({ kind }: Manifest): Parameters<typeof createManifest>[1] {
  const builtin = [ingressKind, classKind, serviceKind].find((each) => each.kind === kind);
  return builtin ?? ourKind(kind);
}
