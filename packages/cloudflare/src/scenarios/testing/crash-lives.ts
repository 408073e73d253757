import type { Kind, KubeObject } from '@tributary/runtime';
import type { FaultMatch } from '@tributary/sim-kubernetes';
import { describe, expect, test } from 'vitest';
import { contributors } from '../../catalog.ts';
import { deleteObjects } from '../../testing/apply-objects.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';
import { pictureOf } from './picture.ts';

/**
 * A life: what a user does from the first manifest to the last deletion. When it is over the world must be as before,
 * so that one world serves many lives.
 */
export type Life = {
  readonly name: string;
  readonly world?: WorldOptions;
  /** What is there before the first life, and stays. */
  readonly prepare?: (world: World) => Promise<void>;
  /** After each the world comes to rest, and must look as it does without a crash. */
  readonly steps: readonly ((world: World) => Promise<void>)[];
  /** Kinds beside those of the slice. */
  readonly kinds?: readonly Kind<KubeObject>[];
  /** So many crashes there are at the least, or the test has lost its subject. */
  readonly atLeast?: number;
};

/** Kinds that no life has would only make every start longer. */
const lived = new Set([
  'CloudflareCredentials',
  'CloudflareDomain',
  'DNSRecord',
  'VirtualNetwork',
  'NetworkRoute',
  'PrivateService',
  'Tunnel',
  'ClusterTunnel',
  'TunnelBinding',
  'TunnelIngressClassConfig',
  'Ingress',
]);

export function applying(...objects: readonly KubeObject[]): (world: World) => Promise<void> {
  return async (world) => world.apply(objects.map((object) => withIds(object, world)));
}

export function deleting(...objects: readonly KubeObject[]): (world: World) => Promise<void> {
  return async ({ user, cluster }) => deleteObjects(objects, user.client, cluster.registry);
}

/** Ids of the simulated account are not known when a life is written down. */
function withIds(object: KubeObject, { sim }: World): KubeObject {
  return JSON.parse(JSON.stringify(object).replaceAll('"ACCOUNT"', JSON.stringify(sim.accountId))) as KubeObject;
}

/** Where the process dies: at write number `nth` of those that match, at this moment. */
type CrashPoint =
  | { readonly side: 'kubernetes'; readonly match: FaultMatch; readonly at: Moment; readonly nth: number }
  | { readonly side: 'cloudflare'; readonly at: 'before' | 'after'; readonly nth: number };

type Moment = 'before' | 'after' | 'answer-lost';
type Unnumbered = CrashPoint extends infer P ? (P extends CrashPoint ? Omit<P, 'nth'> : never) : never;

// All that the operator writes but leases and events. At Cloudflare the moment after the answer is the one before the
// next write, which has its turn by itself.
const written: readonly FaultMatch[] = [
  { group: 'networking.cloudflare-operator.io' },
  { group: 'networking.k8s.io' },
  { group: 'gateway.networking.k8s.io' },
  { group: 'apps' },
  { resource: 'secrets' },
  { resource: 'configmaps' },
];
const moments: readonly Moment[] = ['before', 'after', 'answer-lost'];
const points: readonly Unnumbered[] = [
  ...written.flatMap((match) => moments.map((at) => ({ side: 'kubernetes', match, at }) as const)),
  { side: 'cloudflare', at: 'before' },
  { side: 'cloudflare', at: 'after' },
];

/** So many writes has no life: one that never ends is a fault of its own. */
const mostWrites = 150;
const restLimitMs = 180_000;

type Stage = { readonly world: World; readonly look: () => string; replica: number; isDead: boolean; hitsSeen: number };

export function describeCrashes(lives: readonly Life[]): void {
  describe('a crash at every write', { timeout: 300_000 }, () => {
    test.each(lives)('of $name: nothing lost, nothing doubled', async (life) => {
      const crashes = await crashAtEveryWrite(life);
      process.stdout.write(`${life.name}: ${crashes} crashes played\n`);
      expect(crashes).toBeGreaterThan(life.atLeast ?? 20);
    });
  });
}

/** Plays the life once undisturbed and then once for every write and moment. Returns the number of crashes. */
async function crashAtEveryWrite(life: Life): Promise<number> {
  const stage = await open(life);
  try {
    // The first life may leave things behind that are kept by design, such as settings of a zone.
    await live(life, stage, undefined, undefined);
    const wanted = await live(life, stage, undefined, undefined);
    let crashes = 0;
    for (const point of points) {
      for (let nth = 0; await dies(life, stage, { ...point, nth }, wanted); nth += 1) {
        crashes += 1;
        if (nth > mostWrites) throw new Error(`${life.name}: more than ${mostWrites} writes in one life`);
      }
    }
    return crashes;
  } finally {
    await stage.world.stop();
  }
}

async function open(life: Life): Promise<Stage> {
  const options = life.world ?? {};
  const crash: { strike?: () => void } = {};
  const { kinds = [] } = life;
  const chosen = contributors.filter(({ kind }) => lived.has(kind.kind) || kinds.some((one) => one.kind === kind.kind));
  const world = await createWorld({
    contributors: chosen,
    ...options,
    // Many lives end within minutes, which nobody has to approve here.
    operator: { breaker: { most: 10_000, share: 1 }, ...options.operator },
    replicas: 0,
    sim: { ...options.sim, onCrash: () => crash.strike?.() },
  });
  const look = (): string => pictureOf(world, kinds);
  const stage: Stage = { world, look, replica: 1, isDead: false, hitsSeen: 0 };
  crash.strike = () => {
    stage.isDead = true;
    world.kill(replicaOf(stage));
  };
  world.start(replicaOf(stage));
  await world.applyCredentials();
  await life.prepare?.(world);
  await world.clock.advance(30_000);
  return stage;
}

const replicaOf = ({ replica }: Stage): string => `replica-${replica}`;

function arm({ world }: Stage, { nth, ...point }: CrashPoint): () => void {
  if (point.side === 'cloudflare') {
    const rule = { match: { write: true }, fault: { kind: 'crash', when: point.at }, skip: nth } as const;
    const id = world.sim.faults.arm(rule);
    return () => world.sim.faults.disarm(id);
  }
  const match = { verb: 'write', userAgent: 'replica-', ...point.match };
  return world.cluster.faults.add({ match, fault: { kind: 'crash', at: point.at }, skip: nth, times: 1 });
}

async function dies(life: Life, stage: Stage, point: CrashPoint, wanted: readonly string[]): Promise<boolean> {
  const before = stage.replica;
  await live(life, stage, point, wanted);
  return stage.replica !== before;
}

async function live(
  life: Life,
  stage: Stage,
  point: CrashPoint | undefined,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const disarm = point ? arm(stage, point) : () => undefined;
  const pictures: string[] = [];
  for (const [index, step] of life.steps.entries()) {
    await step(stage.world);
    pictures.push(await rest(stage, wanted?.[index], `${life.name}, step ${index + 1}, ${JSON.stringify(point)}`));
  }
  disarm();
  return pictures;
}

/** Lets time pass until all is as wanted; a dead process is followed by another one. */
async function rest(stage: Stage, wanted: string | undefined, where: string): Promise<string> {
  const { world, look } = stage;
  const until = world.clock.now() + (wanted === undefined ? 30_000 : restLimitMs);
  await world.clock.advance(4000);
  succeed(stage);
  while (world.clock.now() < until && look() !== wanted) {
    await world.clock.advance(4000);
    succeed(stage);
  }
  const picture = look();
  if (wanted !== undefined) expect([where, ...picture.split('\n')]).toEqual([where, ...wanted.split('\n')]);
  return picture;
}

function succeed(stage: Stage): void {
  const { world } = stage;
  const hits = world.cluster.faults.hits();
  if (hits > stage.hitsSeen) {
    stage.isDead = true;
    world.kill(replicaOf(stage));
  }
  stage.hitsSeen = hits;
  if (!stage.isDead) return;
  stage.isDead = false;
  stage.replica += 1;
  world.start(replicaOf(stage));
}
