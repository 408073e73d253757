// What kube-controller-manager does about nodes whose kubelet is not one of ours: a node is open to new pods while it is ready.
import { ensureChild, child, items, text } from '../kinds/draft-fields.ts';
import type { Actor } from '../registry/actor.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import { createKeyedWorker } from './keyed-worker.ts';

const nodes = { group: '', plural: 'nodes' };
/** The taint for each word of the condition Ready. */
const taintOf: Readonly<Record<string, string>> = {
  False: 'node.kubernetes.io/not-ready',
  Unknown: 'node.kubernetes.io/unreachable',
};
const ours = new Set(Object.values(taintOf));

/** Keeps the NoSchedule taint of the condition Ready. It neither judges leases nor evicts. */
export function createNodeLifecycle(onError?: (error: unknown) => void): Actor {
  return {
    name: 'node-lifecycle-controller',
    start: ({ store, client, clock }) => {
      const work = async (name: string): Promise<undefined> => {
        const node = store.get(nodes, { name });
        const wanted = node && wantedTaint(node);
        if (wanted === undefined) return;
        await client.change(nodes, { name }, (draft) => {
          const spec = ensureChild(draft, 'spec');
          const taints = items(spec, 'taints');
          const isSet = taints.some((taint) => text(taint, 'key') === wanted);
          const kept = taints.filter((taint) => !isStale(taint, wanted));
          if (kept.length === taints.length && (isSet || wanted === '')) return false;
          spec['taints'] = isSet || wanted === '' ? kept : [...kept, { key: wanted, effect: 'NoSchedule' }];
          return true;
        });
      };
      const worker = createKeyedWorker(clock, work, onError);
      const stop = store.subscribe(nodes, ({ type, object }) => {
        if (type !== 'DELETED') worker.add(object.metadata.name);
      });
      store.list(nodes).forEach(({ metadata }) => worker.add(metadata.name));
      return () => {
        stop();
        worker.stop();
      };
    },
  };
}

/** Empty: none of ours. Undefined: the node has not said anything yet. */
function wantedTaint(node: JsonObject): string | undefined {
  const ready = items(child(node, 'status'), 'conditions').find((condition) => text(condition, 'type') === 'Ready');
  return ready && (taintOf[text(ready, 'status')] ?? '');
}

function isStale(taint: Draft, wanted: string): boolean {
  const key = text(taint, 'key');
  return ours.has(key) && key !== wanted && text(taint, 'effect') === 'NoSchedule';
}
