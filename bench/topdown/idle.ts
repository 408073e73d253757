import { setTimeout as wait } from 'node:timers/promises';
import { createPods, deletePods, nameOf, settle, toPod, untilGone, untilRunning, watchPods } from './burst.ts';
import { takeRequests } from './requests.ts';
import type { PerSide } from './requests.ts';
import type { BenchSyncer } from './start-syncer.ts';
import type { TwoClusters } from './two-clusters.ts';

/** What the syncer asks while nothing happens; leases, the ping, events and watches that are opened again apart. */
export type Idle = { readonly pods: number; readonly seconds: number; readonly requests: PerSide };

const pods = 100;
const seconds = 120;

/** Pods run with a token and nobody touches them. */
export async function measureIdle(
  clusters: TwoClusters,
  { mustRun }: BenchSyncer,
  say: (line: string) => void,
): Promise<Idle> {
  say(`${pods} pods, and ${seconds} s in which nothing happens`);
  const { connection } = clusters.virtual;
  const seen = watchPods(connection, 'default', nameOf);
  const asked = await createPods(connection.client, pods, (name) => toPod({ namespace: 'default', token: true }, name));
  await untilRunning(seen.marks, pods, mustRun);
  await settle();
  takeRequests(clusters, () => undefined);
  await wait(seconds * 1000);
  const requests = takeRequests(clusters, say);
  await deletePods(connection.client, 'default', [...asked.keys()]);
  await untilGone('the pods of V', seen.size);
  seen.end();
  return { pods, seconds, requests };
}
