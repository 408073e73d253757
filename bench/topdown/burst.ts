import { setTimeout as wait } from 'node:timers/promises';
import { defineKind } from '@tributary/runtime';
import type { AnyObject, Connection, KubeClient, KubeObject } from '@tributary/runtime';
import { forEachOf } from '../runtime/for-each-of.ts';
import { until } from '../until.ts';

export type BenchPod = AnyObject & { readonly status?: { readonly phase?: string } };
export const podKind = defineKind<BenchPod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});

/** The least that a pod needs to run, with or without a token of its account. */
export function toPod(
  { namespace, token }: { readonly namespace: string; readonly token: boolean },
  name: string,
): BenchPod {
  const containers = [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1m', memory: '1Mi' } } }];
  return { metadata: { namespace, name }, spec: { containers, automountServiceAccountToken: token } };
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

/** When each pod was asked for, first seen and seen running, on the clock of this process. */
export type Marks = Map<string, { seenMs?: number; runningMs?: number }>;

const atOnce = 32;
const limitMs = 15 * 60_000;

/** Notes what happens to pods in a namespace, by the name that `nameOf` gives them. */
export function watchPods(
  connection: Connection,
  namespace: string,
  nameOf: (pod: BenchPod) => string,
): { readonly marks: Marks; readonly size: () => number; readonly end: () => void } {
  const marks: Marks = new Map();
  const informer = connection.cache.informer(podKind, { namespace });
  const end = informer.onChange(({ type, object }) => {
    if (type === 'deleted') return;
    const mark = marks.get(nameOf(object)) ?? {};
    mark.seenMs ??= performance.now();
    if (object.status?.phase === 'Running') mark.runningMs ??= performance.now();
    marks.set(nameOf(object), mark);
  });
  return { marks, size: informer.size, end };
}

let bursts = 0;

/**
 * Asks for so many pods; when each was asked for. No name comes twice: kwok deletes by name, and what it does late would hit the pods of
 * the next burst.
 */
export async function createPods(
  client: KubeClient,
  pods: number,
  toPod: (name: string) => BenchPod,
): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>();
  bursts += 1;
  const burst = bursts;
  await forEachOf(pods, atOnce, async (index) => {
    const pod = toPod(`pod-${burst}-${index}`);
    asked.set(pod.metadata.name ?? '', performance.now());
    await client.create(podKind, pod);
  });
  return asked;
}

export async function untilRunning(marks: Marks, pods: number, look: () => void = () => undefined): Promise<void> {
  const isRunning = (): boolean => {
    look();
    return [...marks.values()].filter(({ runningMs }) => runningMs !== undefined).length >= pods;
  };
  await until(`${pods} pods run`, isRunning, limitMs);
}

export async function deletePods(client: KubeClient, namespace: string, names: readonly string[]): Promise<void> {
  await forEachOf(names.length, atOnce, async (index) => {
    await client.delete(podKind, { namespace, name: names[index] ?? '' });
  });
}

export async function untilGone(what: string, size: () => number): Promise<void> {
  await until(`${what} are gone`, () => size() === 0, limitMs);
}

/** What was under way when the last pod ran, or went, belongs to it: the logs are read when it is quiet. */
export async function settle(): Promise<void> {
  await wait(3000);
}
