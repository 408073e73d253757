// Deletes what nobody owns any more, and carries out the three ways to delete an owner: dependents later (Background),
// dependents first (Foreground), dependents kept (Orphan).
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { RestDeleteOptions } from '../rest/rest-client.ts';
import type { ResourceId, StoreEvent } from '../storage/store.ts';
import type { KeyedWorker } from './keyed-worker.ts';
import { createKeyedWorker } from './keyed-worker.ts';
import type { GraphNode, OwnerGraph, OwnerReference } from './owner-graph.ts';
import { createOwnerGraph, ownersOf } from './owner-graph.ts';

type Deps = ActorContext & {
  readonly graph: OwnerGraph;
  readonly worker: () => KeyedWorker;
  /** Objects whose owners are of a kind that is not served: they are left alone until it is. */
  readonly unresolved: Set<string>;
};

export function createGarbageCollector(onError?: (error: unknown) => void): Actor {
  return {
    name: 'garbage-collector',
    start: (context) => {
      const graph = createOwnerGraph();
      const unresolved = new Set<string>();
      const deps: Deps = { ...context, graph, unresolved, worker: () => worker };
      const worker = createKeyedWorker(context.clock, (uid) => collect(deps, uid), onError);
      const stopWatching = context.store.subscribeAll((event, resource) => follow(deps, event, resource));
      for (const { group, plural } of context.registry.all()) {
        for (const object of context.store.list({ group, plural })) {
          graph.put({ group, plural }, object);
          if (isOfInterest(object)) worker.add(object.metadata.uid);
        }
      }
      // A reference to a kind that nobody knew may now be understood.
      const stopListening = context.registry.onChange(() => {
        for (const uid of unresolved) worker.add(uid);
        unresolved.clear();
      });
      return () => {
        stopListening();
        stopWatching();
        worker.stop();
      };
    },
  };
}

function follow({ graph, worker }: Deps, event: StoreEvent, resource: ResourceId): void {
  // Events have owners in plenty and are never collected.
  if (resource.plural === 'events' && resource.group === '') return;
  const { uid } = event.object.metadata;
  if (event.type === 'DELETED') {
    const owners = graph.get(uid)?.owners ?? [];
    graph.remove(uid);
    for (const owner of owners) worker().add(owner.uid);
    for (const dependent of graph.dependentsOf(uid)) worker().add(dependent);
    return;
  }
  graph.put(resource, event.object);
  if (isOfInterest(event.object)) worker().add(uid);
  if (finalizersOf(event.object).includes('foregroundDeletion')) {
    for (const dependent of graph.dependentsOf(uid)) worker().add(dependent);
  }
}

function isOfInterest(object: StoredObject): boolean {
  return (
    ownersOf(object).length > 0 || (object.metadata.deletionTimestamp !== undefined && finalizersOf(object).length > 0)
  );
}

function finalizersOf({ metadata }: StoredObject): readonly string[] {
  return metadata.finalizers ?? [];
}

async function collect(deps: Deps, uid: string): Promise<undefined> {
  const node = deps.graph.get(uid);
  const object = node && deps.store.get(node.resource, node);
  if (node === undefined || object === undefined || object.metadata.uid !== uid) return;
  if (object.metadata.deletionTimestamp !== undefined) {
    const finalizers = finalizersOf(object);
    if (finalizers.includes('orphan')) await orphan(deps, node, uid);
    else if (finalizers.includes('foregroundDeletion')) await deleteDependentsFirst(deps, node, uid);
    return;
  }
  if (node.owners.length > 0) await collectByOwners(deps, node, object);
}

/** Dependents lose their reference, and with the last of them the owner may go. */
async function orphan(deps: Deps, node: GraphNode, uid: string): Promise<void> {
  for (const dependent of deps.graph.dependentsOf(uid)) {
    const found = deps.graph.get(dependent);
    if (found !== undefined) await dropOwners(deps, found, (owner) => owner.uid === uid);
  }
  await dropFinalizer(deps, node, 'orphan');
}

async function deleteDependentsFirst(deps: Deps, node: GraphNode, uid: string): Promise<void> {
  const blocking = deps.graph.dependentsOf(uid).filter((dependent) => {
    const owners = deps.graph.get(dependent)?.owners ?? [];
    return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
  });
  if (blocking.length === 0) {
    await dropFinalizer(deps, node, 'foregroundDeletion');
    return;
  }
  for (const dependent of blocking) deps.worker().add(dependent);
}

type Standing = 'solid' | 'absent' | 'waiting' | 'unknown';

/** A namespaced owner counts only in the namespace of its dependent. */
function standingOf(deps: Deps, { namespace }: GraphNode, owner: OwnerReference): Standing {
  const [version = '', group = ''] = owner.apiVersion.split('/').toReversed();
  const type = deps.registry.findKind(group, version, owner.kind);
  if (type === undefined || (type.namespaced && namespace === undefined)) return 'unknown';
  const { storedIn = type } = type;
  const found = deps.store.get(storedIn, { namespace: type.namespaced ? namespace : undefined, name: owner.name });
  if (found === undefined || found.metadata.uid !== owner.uid) return 'absent';
  const waiting = found.metadata.deletionTimestamp !== undefined && finalizersOf(found).includes('foregroundDeletion');
  return waiting ? 'waiting' : 'solid';
}

async function collectByOwners(deps: Deps, node: GraphNode, object: StoredObject): Promise<void> {
  const { uid } = object.metadata;
  const standings = node.owners.map((owner) => standingOf(deps, node, owner));
  if (standings.includes('unknown')) {
    deps.unresolved.add(uid);
    return;
  }
  if (standings.includes('solid')) {
    const gone = new Set(node.owners.filter((_, index) => standings[index] !== 'solid').map((owner) => owner.uid));
    if (gone.size > 0) await dropOwners(deps, node, (owner) => gone.has(owner.uid));
    return;
  }
  const hasDependents = deps.graph.dependentsOf(uid).length > 0;
  const options: RestDeleteOptions = {
    uid,
    propagationPolicy: standings.includes('waiting') && hasDependents ? 'Foreground' : policyOf(object),
  };
  await deps.client.delete(node.resource, node, options);
}

function policyOf(object: StoredObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizersOf(object).includes('orphan')) return 'Orphan';
  return finalizersOf(object).includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

async function dropOwners(deps: Deps, node: GraphNode, isGone: (owner: OwnerReference) => boolean): Promise<void> {
  if (deps.store.get(node.resource, node) === undefined) return;
  await deps.client.change(node.resource, node, (draft) => {
    const metadata = draft['metadata'] as Draft;
    const owners = (metadata['ownerReferences'] ?? []) as OwnerReference[];
    const kept = owners.filter((owner) => !isGone(owner));
    if (kept.length === owners.length) return false;
    metadata['ownerReferences'] = kept;
    return true;
  });
}

async function dropFinalizer(deps: Deps, node: GraphNode, finalizer: string): Promise<void> {
  if (deps.store.get(node.resource, node) === undefined) return;
  await deps.client.change(node.resource, node, (draft) => {
    const metadata = draft['metadata'] as Draft;
    const finalizers = (metadata['finalizers'] ?? []) as string[];
    metadata['finalizers'] = finalizers.filter((name) => name !== finalizer);
    return finalizers.includes(finalizer);
  });
}
