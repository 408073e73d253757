// Puts pending pods on nodes that take them; those that fit nowhere say why, and are tried again when nodes or pods change.
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';
import { child, ensureChild, items, text } from '../kinds/draft-fields.ts';
import { bindPod } from '../kinds/subresources/binding.ts';
import { setPodCondition } from '../kinds/subresources/pod-conditions.ts';
import type { StoreEvent } from '../storage/store.ts';
import { createKeyedWorker } from './keyed-worker.ts';
import type { Demand } from './node-fit.ts';
import { addDemand, demandOf, misfit, noDemand } from './node-fit.ts';
import { keyOf, refOf } from './object-keys.ts';
import { recordEvent } from './record-event.ts';

const pods = { group: '', plural: 'pods' };
const nodes = { group: '', plural: 'nodes' };

export type SchedulerOptions = {
  readonly schedulerName?: string;
  readonly onError?: (error: unknown) => void;
};

export function createScheduler({ schedulerName = 'default-scheduler', onError }: SchedulerOptions = {}): Actor {
  return {
    name: 'scheduler',
    program: 'kube-scheduler',
    start: (context) => {
      const { store, clock } = context;
      const usage = createUsage();
      const waiting = new Set<string>();
      // One key for all: pods are placed one after the other, so that each sees where the last one went.
      const worker = createKeyedWorker(clock, () => placeAll(context, waiting, usage, schedulerName), onError);
      const follow = (event: Pick<StoreEvent, 'type' | 'object' | 'previous'>): void => {
        usage.follow(event);
        const { object, type } = event;
        if (type !== 'DELETED' && isPending(object, schedulerName)) waiting.add(keyOf(object));
        else waiting.delete(keyOf(object));
        const freed = type === 'DELETED' || isOver(object);
        if (waiting.size > 0 && (freed || waiting.has(keyOf(object)))) worker.add('');
      };
      const stops = [
        store.subscribe(pods, follow),
        store.subscribe(nodes, () => {
          if (waiting.size > 0) worker.add('');
        }),
      ];
      for (const object of store.list(pods)) follow({ type: 'ADDED', object, previous: undefined });
      return () => {
        for (const stop of stops) stop();
        worker.stop();
      };
    },
  };
}

function isOver(pod: StoredObject): boolean {
  const phase = text(child(pod, 'status'), 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function isPending(pod: StoredObject, schedulerName: string): boolean {
  const spec = child(pod, 'spec');
  const free = text(spec, 'nodeName') === '' && pod.metadata.deletionTimestamp === undefined;
  const ours = text(spec, 'schedulerName') === schedulerName;
  return free && ours && !isOver(pod) && items(spec, 'schedulingGates').length === 0;
}

type Usage = {
  readonly follow: (event: Pick<StoreEvent, 'type' | 'object' | 'previous'>) => void;
  readonly of: (node: string) => Demand;
};

/** What the pods of each node ask for, counted as they come and go. */
function createUsage(): Usage {
  const byNode = new Map<string, Demand>();
  const count = (pod: StoredObject | undefined, sign: 1n | -1n): void => {
    const node = pod === undefined || isOver(pod) ? '' : text(child(pod, 'spec'), 'nodeName');
    if (pod === undefined || node === '') return;
    byNode.set(node, addDemand(byNode.get(node) ?? noDemand, demandOf(pod), sign));
  };
  return {
    follow: ({ type, object, previous }) => {
      count(previous, -1n);
      if (type !== 'DELETED') count(object, 1n);
    },
    of: (node) => byNode.get(node) ?? noDemand,
  };
}

async function placeAll(
  context: ActorContext,
  waiting: ReadonlySet<string>,
  usage: Usage,
  schedulerName: string,
): Promise<undefined> {
  for (const key of waiting) {
    const pod = context.store.get(pods, refOf(key));
    if (pod !== undefined && isPending(pod, schedulerName)) await place(context, pod, usage, schedulerName);
  }
}

async function place(context: ActorContext, pod: StoredObject, usage: Usage, schedulerName: string): Promise<void> {
  const { store, client, hooks } = context;
  const all = store.list(nodes);
  const reasons = new Map<string, number>();
  let best: StoredObject | undefined;
  for (const node of all) {
    const reason = misfit(pod, node, usage.of(node.metadata.name));
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else if (best === undefined || usage.of(node.metadata.name).pods < usage.of(best.metadata.name).pods) best = node;
  }
  if (best === undefined) {
    await refuse(context, pod, unavailable(all.length, reasons), schedulerName);
    return;
  }
  const { namespace = '', name } = pod.metadata;
  await bindPod(client, { namespace, name }, { node: best.metadata.name, uid: pod.metadata.uid, now: hooks.now() });
  const message = `Successfully assigned ${namespace}/${name} to ${best.metadata.name}`;
  await recordEvent(context, pod, { type: 'Normal', reason: 'Scheduled', message, component: schedulerName });
}

function unavailable(total: number, reasons: ReadonlyMap<string, number>): string {
  if (total === 0) return 'no nodes available to schedule pods';
  const parts = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${total} nodes are available: ${parts.join(', ')}.`;
}

async function refuse(context: ActorContext, pod: StoredObject, message: string, component: string): Promise<void> {
  const { client, hooks } = context;
  const { namespace, name } = pod.metadata;
  let told = false;
  await client.change(
    pods,
    { namespace, name },
    (draft) => {
      const status = ensureChild(draft, 'status');
      const known = items(status, 'conditions').find((found) => found['type'] === 'PodScheduled');
      told = known?.['message'] === message;
      if (told) return false;
      setPodCondition(status, { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }, hooks.now());
      return true;
    },
    { subresource: 'status' },
  );
  if (!told) await recordEvent(context, pod, { type: 'Warning', reason: 'FailedScheduling', message, component });
}
