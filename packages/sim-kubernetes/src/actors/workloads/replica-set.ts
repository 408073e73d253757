// Stands for the ReplicaSet controller of kube-controller-manager: as many pods as are wanted, and a status that says so.
import type { Actor, ActorContext } from '../../registry/actor.ts';
import { isApiError } from '../../registry/api-error.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { child } from '../../kinds/draft-fields.ts';
import { createKeyedWorker } from '../keyed-worker.ts';
import { keyOf, refOf } from '../object-keys.ts';
import { recordEvent } from '../record-event.ts';
import { controllerOf, controllerReference, ownedBy, pods, replicaSets } from './owned.ts';
import { isTold, planReplicas } from './replica-plan.ts';

const component = 'replicaset-controller';

export function createReplicaSetController(onError?: (error: unknown) => void): Actor {
  return {
    name: component,
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (key) => sync(context, key), onError);
      const stopSets = store.subscribe(replicaSets, ({ object }) => worker.add(keyOf(object)));
      const stopPods = store.subscribe(pods, ({ object }) => {
        const owner = controllerOf(object);
        if (owner !== undefined) worker.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
      });
      store.list(replicaSets).forEach((set) => worker.add(keyOf(set)));
      return () => {
        stopSets();
        stopPods();
        worker.stop();
      };
    },
  };
}

async function sync(context: ActorContext, key: string): Promise<number | undefined> {
  const { store, client, clock } = context;
  const set = store.get(replicaSets, refOf(key));
  if (set === undefined) return undefined;
  const owned = ownedBy(set, store.list(pods, set.metadata.namespace));
  const plan = planReplicas(set, owned, clock.now());
  for (let made = 0; made < plan.create; made += 1) await createPod(context, set);
  for (const pod of plan.remove) await removePod(context, set, pod);
  const { namespace, name, uid } = set.metadata;
  // What was just made or taken away wakes us again, and is counted then.
  const { status, againMs } = planReplicas(set, ownedBy(set, store.list(pods, namespace)), clock.now());
  if (isTold(set, status)) return againMs;
  await client.change(
    replicaSets,
    { namespace, name },
    (draft) => {
      if ((draft as StoredObject).metadata.uid !== uid) return false;
      draft['status'] = status;
      return true;
    },
    { subresource: 'status' },
  );
  return againMs;
}

async function createPod(context: ActorContext, set: StoredObject): Promise<void> {
  const { name, namespace } = set.metadata;
  const template = cloneJson(child(child(set, 'spec'), 'template'));
  const { labels, annotations } = child(template, 'metadata');
  const pod = await context.client.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    spec: child(template, 'spec'),
  } as JsonObject);
  const message = `Created pod: ${pod.metadata.name}`;
  await recordEvent(context, set, { type: 'Normal', reason: 'SuccessfulCreate', message, component });
}

async function removePod(context: ActorContext, set: StoredObject, pod: StoredObject): Promise<void> {
  const { name, namespace, uid } = pod.metadata;
  try {
    await context.client.delete(pods, { namespace, name }, { uid });
  } catch (error) {
    if (!isApiError(error) || (error.status !== 404 && error.status !== 409)) throw error;
    return;
  }
  const message = `Deleted pod: ${name}`;
  await recordEvent(context, set, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
}
