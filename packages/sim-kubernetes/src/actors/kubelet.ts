// Stands for the kubelets of some nodes: nodes are ready and heard of, pods start, run, end and go, all on the clock and
// without a container anywhere.
import type { Actor, ActorContext } from '../registry/actor.ts';
import { isApiError } from '../registry/api-error.ts';
import type { StoredObject } from '../registry/json.ts';
import { child, flag, text } from '../kinds/draft-fields.ts';
import type { KubeletNode } from './kubelet-node.ts';
import { registerNode, renewLease } from './kubelet-node.ts';
import type { KeyedWorker } from './keyed-worker.ts';
import { createKeyedWorker } from './keyed-worker.ts';
import { keyOf, refOf } from './object-keys.ts';
import type { PodMemory, PodStep, Timing } from './pod-life.ts';
import { nextPodStep } from './pod-life.ts';
import { scriptOf } from './pod-script.ts';
import { podStatus } from './pod-status.ts';

const pods = { group: '', plural: 'pods' };
const renewMs = 10_000;

export type KubeletOptions = Partial<Timing> & {
  readonly nodes: readonly (string | KubeletNode)[];
  readonly onError?: (error: unknown) => void;
};

type Kubelet = ActorContext & {
  readonly timing: Timing;
  readonly hostIps: ReadonlyMap<string, string>;
  readonly podIps: Map<string, string>;
  readonly memories: Map<string, PodMemory>;
};

export function createKubelet({ nodes, createMs = 300, stopMs = 300, onError }: KubeletOptions): Actor {
  const given = nodes.map((node) => (typeof node === 'string' ? { name: node } : node));
  return {
    name: 'kubelet',
    program: 'kubelet',
    start: (context) => {
      const hostIps = new Map(
        given.map((node, index) => [node.name, node.address ?? `172.18.${index >> 8}.${(index & 255) + 2}`]),
      );
      const timing = { createMs, stopMs };
      const kubelet: Kubelet = { ...context, timing, hostIps, podIps: new Map(), memories: new Map() };
      const podWorker = createKeyedWorker(context.clock, (key) => stepPod(kubelet, key), onError);
      const nodeWorker = createKeyedWorker(context.clock, async (name) => keepNode(kubelet, given, name), onError);
      const stopWatching = watchPods(kubelet, podWorker);
      for (const { name } of given) nodeWorker.add(name);
      return () => {
        stopWatching();
        podWorker.stop();
        nodeWorker.stop();
      };
    },
  };
}

async function keepNode(kubelet: Kubelet, nodes: readonly KubeletNode[], name: string): Promise<number> {
  const node = nodes.find((found) => found.name === name) ?? { name };
  const known = kubelet.memories.has(`node/${name}`);
  if (!known) await registerNode(kubelet, node, kubelet.hostIps.get(name) ?? '');
  kubelet.memories.set(`node/${name}`, { startMs: kubelet.clock.now() });
  await renewLease(kubelet, name);
  return renewMs;
}

function watchPods(kubelet: Kubelet, worker: KeyedWorker): () => void {
  const wake = (pod: StoredObject): void => {
    if (kubelet.hostIps.has(text(child(pod, 'spec'), 'nodeName'))) worker.add(keyOf(pod));
  };
  const stop = kubelet.store.subscribe(pods, ({ type, object }) => {
    if (type !== 'DELETED') {
      wake(object);
      return;
    }
    kubelet.memories.delete(object.metadata.uid);
    kubelet.podIps.delete(object.metadata.uid);
  });
  kubelet.store.list(pods).forEach(wake);
  return stop;
}

async function stepPod(kubelet: Kubelet, key: string): Promise<number | undefined> {
  const pod = kubelet.store.get(pods, refOf(key));
  if (pod === undefined) return undefined;
  const ms = kubelet.clock.now();
  const memory = kubelet.memories.get(pod.metadata.uid) ?? { startMs: ms };
  kubelet.memories.set(pod.metadata.uid, memory);
  const now = { ms, text: kubelet.hooks.now() };
  return carryOut(kubelet, pod, nextPodStep(pod, memory, scriptOf(pod), kubelet.timing, now));
}

async function carryOut(kubelet: Kubelet, pod: StoredObject, step: PodStep): Promise<number | undefined> {
  const { name, namespace, uid } = pod.metadata;
  switch (step.do) {
    case 'nothing':
      return undefined;
    case 'wait':
      return step.ms;
    case 'remove':
      await remove(kubelet, pod);
      return undefined;
    case 'write': {
      const inputs = { now: kubelet.hooks.now(), hostIp: hostIpOf(kubelet, pod), podIp: podIpOf(kubelet, pod) };
      kubelet.memories.set(uid, step.memory);
      await kubelet.client.change(
        pods,
        { namespace, name },
        (draft) => {
          if ((draft as StoredObject).metadata.uid !== uid) return false;
          draft['status'] = podStatus(draft as StoredObject, step.stage, inputs);
          return true;
        },
        { subresource: 'status' },
      );
      return 0;
    }
    default:
      return step satisfies never;
  }
}

async function remove({ client }: Kubelet, { metadata: { name, namespace, uid } }: StoredObject): Promise<void> {
  try {
    await client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0, uid });
  } catch (error) {
    if (!isApiError(error) || (error.status !== 404 && error.status !== 409)) throw error;
  }
}

function hostIpOf({ hostIps }: Kubelet, pod: StoredObject): string {
  return hostIps.get(text(child(pod, 'spec'), 'nodeName')) ?? '';
}

/** Each pod has an address of its own, but for those on the network of their node. */
function podIpOf(kubelet: Kubelet, pod: StoredObject): string {
  const spec = child(pod, 'spec');
  if (flag(spec, 'hostNetwork')) return hostIpOf(kubelet, pod);
  const known = kubelet.podIps.get(pod.metadata.uid) ?? text(child(pod, 'status'), 'podIP');
  if (known !== '') return known;
  const taken = new Set(kubelet.podIps.values());
  const node = [...kubelet.hostIps.keys()].indexOf(text(spec, 'nodeName'));
  for (let number = 2; ; number += 1) {
    const ip = `10.${244 + (number >> 16)}.${(node + (number >> 8)) & 255}.${number & 255}`;
    if (taken.has(ip)) continue;
    kubelet.podIps.set(pod.metadata.uid, ip);
    return ip;
  }
}
