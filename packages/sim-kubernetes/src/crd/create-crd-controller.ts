import type { Actor, ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';
import { equalValues } from '../schema/correlation.ts';
import type { WebhookClient } from '../webhook-client/create-webhook-client.ts';
import { acceptCrd } from './accept-crd.ts';
import { createConversionAsker } from './ask-conversion.ts';
import type { CrdConversion } from './crd-object.ts';
import { cleanupFinalizer, crdResource, crdSpec, crdStatus, isConditionTrue } from './crd-object.ts';
import { createSerialQueue } from './serial-queue.ts';
import { crdTarget, terminateCrd } from './terminate-crd.ts';
import { toResourceTypes } from './to-resource-types.ts';
import type { CrdConverters } from './to-resource-types.ts';

/**
 * Makes CustomResourceDefinitions live: accepts their names, serves their versions as soon as they are established,
 * follows every change, and empties a resource before its CRD goes. What is served changes in the same step as the
 * CRD; only its status is written afterwards.
 */
export function createCrdController(options: CrdControllerOptions): Actor {
  return { name: 'custom-resource-definitions', program: 'kube-apiserver', start: (context) => run(context, options) };
}

export type CrdControllerOptions = {
  readonly converters?: CrdConverters;
  /** What asks conversion webhooks; without it, versions of a CRD without a converter differ in nothing but name. */
  readonly webhooks?: ((context: ActorContext) => WebhookClient) | undefined;
  /** Told of writes that the server refused: a fault of ours. */
  readonly onError: (error: unknown) => void;
};

function run(context: ActorContext, { converters, webhooks, onError }: CrdControllerOptions): () => void {
  const client = webhooks?.(context);
  const asker = client && ((by: CrdConversion) => createConversionAsker(by, { client, uuid: context.hooks.uuid }));
  const { store, registry } = context;
  const queue = createSerialQueue(async (name) => {
    const crd = store.get(crdResource, { name });
    if (!crd) return;
    if (crd.metadata.deletionTimestamp === undefined) await acceptCrd(context, crd);
    else if (crd.metadata.finalizers?.includes(cleanupFinalizer)) await terminateCrd(context, crd);
  }, onError);
  const epochOf = createEpochs();
  const publish = (crd: StoredObject): void => {
    if (!isConditionTrue(crdStatus(crd), 'Established')) return;
    const { group, plural } = crdTarget(crd);
    registry.set(group, plural, toResourceTypes(crd, { converters, asker, epoch: epochOf(crd) }));
  };
  const withdraw = (crd: StoredObject): void => {
    const { group, plural } = crdTarget(crd);
    registry.set(group, plural, []);
    // Another CRD may have waited for the names.
    for (const other of store.list(crdResource)) if (crdSpec(other).group === group) queue.add(other.metadata.name);
  };
  const unsubscribe = store.subscribeAll(({ type, object, previous }, resource) => {
    if (isCrd(resource)) {
      if (type === 'DELETED') withdraw(object);
      else {
        if (!previous || !servedAlike(previous, object)) publish(object);
        queue.add(object.metadata.name);
      }
    } else if (type === 'DELETED' && store.count(resource) === 0) {
      // The last object of a resource may be what the deletion of its CRD waits for.
      queue.add(`${resource.plural}.${resource.group}`);
    }
  });
  for (const crd of store.list(crdResource)) {
    publish(crd);
    queue.add(crd.metadata.name);
  }
  return () => {
    queue.stop();
    unsubscribe();
  };
}

/** Counts up each time a CRD changes in what its resource is made of. That it is being deleted changes nothing. */
function createEpochs(): (crd: StoredObject) => number {
  const seen = new Map<string, { readonly crd: StoredObject; readonly epoch: number }>();
  let last = 0;
  return (crd) => {
    const before = seen.get(crd.metadata.uid);
    if (before !== undefined && definedAlike(before.crd, crd)) return before.epoch;
    last += 1;
    seen.set(crd.metadata.uid, { crd, epoch: last });
    return last;
  };
}

function isCrd({ group, plural }: { readonly group: string; readonly plural: string }): boolean {
  return plural === crdResource.plural && group === crdResource.group;
}

/** Whether nothing changed that the resource is made of. */
function servedAlike(a: StoredObject, b: StoredObject): boolean {
  return (
    (a.metadata.deletionTimestamp === undefined) === (b.metadata.deletionTimestamp === undefined) &&
    isConditionTrue(crdStatus(a), 'Established') === isConditionTrue(crdStatus(b), 'Established') &&
    definedAlike(a, b)
  );
}

function definedAlike(a: StoredObject, b: StoredObject): boolean {
  return equalValues(a['spec'], b['spec']) && equalValues(crdStatus(a).acceptedNames, crdStatus(b).acceptedNames);
}
