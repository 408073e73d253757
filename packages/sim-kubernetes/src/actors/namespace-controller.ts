// Empties a namespace that is being deleted: pods first, then all else, and at last the finalizer that held it.
import { isApiError } from '../registry/api-error.ts';
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import { child, ensureChild, items, texts } from '../kinds/draft-fields.ts';
import { createKeyedWorker } from './keyed-worker.ts';
import type { NamespaceCondition, Remaining } from './namespace-content.ts';
import { contentOf, namespaceConditions } from './namespace-content.ts';

const namespaces = { group: '', plural: 'namespaces' };
const finalizer = 'kubernetes';

export function createNamespaceController(onError?: (error: unknown) => void): Actor {
  return {
    name: 'namespace-controller',
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (name) => empty(context, name), onError);
      const wake = (namespace: StoredObject | undefined): void => {
        if (namespace?.metadata.deletionTimestamp !== undefined) worker.add(namespace.metadata.name);
      };
      const stopWatching = store.subscribeAll((event, { group, plural }) => {
        if (group === '' && plural === 'namespaces') wake(event.object);
        // What has gone may have been the last.
        else if (event.type === 'DELETED' && event.object.metadata.namespace !== undefined) {
          wake(store.get(namespaces, { name: event.object.metadata.namespace }));
        }
      });
      store.list(namespaces).forEach(wake);
      return () => {
        stopWatching();
        worker.stop();
      };
    },
  };
}

async function empty(context: ActorContext, name: string): Promise<undefined> {
  const namespace = context.store.get(namespaces, { name });
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  if (!texts(child(namespace, 'spec'), 'finalizers').includes(finalizer)) return;
  const content = contentOf(context, name);
  const pods = content.filter(({ type }) => type.group === '' && type.plural === 'pods');
  // Pods may need their Secrets and volumes to the end.
  await deleteAll(context, pods);
  const podsLeft = contentOf(context, name).some(({ type }) => type.group === '' && type.plural === 'pods');
  if (!podsLeft) await deleteAll(context, content);
  const remaining = contentOf(context, name);
  await writeConditions(context, name, namespaceConditions(remaining));
  if (remaining.length > 0) return;
  await context.client.change(namespaces, { name }, dropFinalizer, { subresource: 'finalize' });
}

async function deleteAll({ client }: ActorContext, remaining: readonly Remaining[]): Promise<void> {
  for (const { type, objects } of remaining) {
    for (const { metadata } of objects) {
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        const ref = { namespace: metadata.namespace, name: metadata.name };
        await client.delete(type, ref, { propagationPolicy: 'Background', uid: metadata.uid });
      } catch (error) {
        if (!isApiError(error) || (error.status !== 404 && error.status !== 409)) throw error;
      }
    }
  }
}

function dropFinalizer(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  spec['finalizers'] = texts(spec, 'finalizers').filter((name) => name !== finalizer);
}

async function writeConditions(
  { client, hooks }: ActorContext,
  name: string,
  conditions: readonly NamespaceCondition[],
): Promise<void> {
  await client.change(
    namespaces,
    { name },
    (draft) => {
      const status = ensureChild(draft, 'status');
      const before = items(status, 'conditions');
      const next = conditions.map((condition) => {
        const known = before.find((found) => found['type'] === condition.type);
        const time = known?.['status'] === condition.status ? known['lastTransitionTime'] : hooks.now();
        return { ...condition, lastTransitionTime: time };
      });
      if (sameJson(next, before)) return false;
      status['conditions'] = next;
      return true;
    },
    { subresource: 'status' },
  );
}
