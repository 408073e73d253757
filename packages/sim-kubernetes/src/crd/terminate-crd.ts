import type { ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceId } from '../storage/store.ts';
import type { CrdCondition } from './crd-object.ts';
import { cleanupFinalizer, crdResource, crdSpec, crdStatus, isConditionTrue } from './crd-object.ts';
import { addCrdCondition, settled } from './write-crd-status.ts';

const deleting: CrdCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const deleted: CrdCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

const neverEstablished: CrdCondition = {
  ...deleted,
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

/** Deletes the objects of a CRD that is on its way out, and lets it go when none is left. To be called again then. */
export async function terminateCrd(context: ActorContext, crd: StoredObject): Promise<void> {
  const { store, client } = context;
  const { name } = crd.metadata;
  const resource = crdTarget(crd);
  await addCrdCondition(context, name, deleting);
  for (const { metadata } of store.list(resource)) {
    if (metadata.deletionTimestamp !== undefined) continue;
    await settled(client.delete(resource, { namespace: metadata.namespace, name: metadata.name }));
  }
  if (store.count(resource) > 0) return;
  await addCrdCondition(context, name, isConditionTrue(crdStatus(crd), 'Established') ? deleted : neverEstablished);
  const release = client.change(crdResource, { name }, (draft) => {
    const metadata = draft['metadata'] as { finalizers?: string[] };
    metadata.finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  });
  await settled(release);
}

/** The resource that a CRD defines. */
export function crdTarget(crd: StoredObject): ResourceId {
  const { group, names } = crdSpec(crd);
  return { group, plural: names.plural };
}
