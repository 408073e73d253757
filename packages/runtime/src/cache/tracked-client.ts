import type { DeleteOptions, KubeClient, KubeStatus } from '../client/kube-client.ts';
import type { Kind } from '../kind.ts';
import { toKey } from '../object.ts';
import type { KubeObject, ObjectRef } from '../object.ts';
import type { SharedCache } from './object-cache.ts';
import type { WriteEffect } from './write-expectation.ts';

/**
 * The same client, but the cache learns of every write: until an informer shows what was written,
 * `informer.caughtUp` of that object waits. Deleting a collection and posting to subresources such as `eviction` go
 * through untracked: their answers do not say what became of which object.
 */
export function createTrackedClient(client: KubeClient, cache: Pick<SharedCache, 'beginWrite'>): KubeClient {
  const track = createTracker(cache);
  return {
    ...client,
    create: async (kind, object, options) =>
      track(kind, refOf(object), options, async () => client.create(kind, object, options)),
    update: async (kind, object, options) =>
      track(kind, refOf(object), options, async () => client.update(kind, object, options)),
    updateStatus: async (kind, object, options) =>
      track(kind, refOf(object), options, async () => client.updateStatus(kind, object, options)),
    patch: async (kind, ref, patch, options) =>
      track(kind, ref, options, async () => client.patch(kind, ref, patch, options)),
    patchStatus: async (kind, ref, patch, options) =>
      track(kind, ref, options, async () => client.patchStatus(kind, ref, patch, options)),
    apply: async (kind, object, options) =>
      track(kind, refOf(object), options, async () => client.apply(kind, object, options)),
    applyStatus: async (kind, object, options) =>
      track(kind, refOf(object), options, async () => client.applyStatus(kind, object, options)),
    patchScale: async (kind, ref, replicas, options) =>
      track(kind, ref, options, async () => client.patchScale(kind, ref, replicas, options)),
    patchSubresource: async (kind, ref, subresource, patch, options) =>
      track(kind, ref, options, async () => client.patchSubresource(kind, ref, subresource, patch, options)),
    delete: async (kind, ref, options) =>
      track(
        kind,
        ref,
        options,
        async () => client.delete(kind, ref, options),
        (answer) => toDeletion(answer, options),
      ),
  };
}

type Track = <R>(
  kind: Kind<KubeObject>,
  ref: ObjectRef | undefined,
  options: { readonly dryRun?: boolean } | undefined,
  write: () => Promise<R>,
  toEffect?: (answer: R) => WriteEffect | undefined,
) => Promise<R>;

function createTracker(cache: Pick<SharedCache, 'beginWrite'>): Track {
  return async (kind, ref, options, write, toEffect = toWriteEffect) => {
    if (options?.dryRun) return write();
    if (!ref) {
      // The server chooses the name, so nobody can have asked for the object before the answer came.
      const answer = await write();
      const made = refOf(answer as KubeObject);
      if (made) cache.beginWrite(kind, toKindKey(kind, made))(toEffect(answer));
      return answer;
    }
    const finish = cache.beginWrite(kind, toKindKey(kind, ref));
    let effect: WriteEffect | undefined;
    try {
      const answer = await write();
      effect = toEffect(answer);
      return answer;
    } finally {
      finish(effect);
    }
  };
}

/** The key under which an informer holds it: the namespace of a cluster-wide object is none. */
function toKindKey(kind: Pick<Kind, 'scope'>, ref: ObjectRef): string {
  return kind.scope === 'Cluster' ? ref.name : toKey(ref);
}

function refOf({ metadata }: KubeObject): ObjectRef | undefined {
  return metadata.name ? { namespace: metadata.namespace, name: metadata.name } : undefined;
}

/** What the answer to a write other than a deletion means. Taking the last finalizer away is a deletion as well. */
export function toWriteEffect(answer: unknown): WriteEffect | undefined {
  const metadata = (answer as Partial<KubeObject> | undefined)?.metadata;
  if (!metadata?.resourceVersion) return undefined;
  if (metadata.deletionTimestamp !== undefined && !livesOn(metadata)) return { effect: 'gone', uid: metadata.uid };
  return { effect: 'version', resourceVersion: metadata.resourceVersion };
}

/** What the answer to a deletion means: the object as it lives on, the object as it last was, or a Status. */
export function toDeletion(answer: KubeObject | KubeStatus, options?: DeleteOptions): WriteEffect {
  const metadata = 'metadata' in answer ? answer.metadata : undefined;
  if (metadata?.resourceVersion && livesOn(metadata)) {
    return { effect: 'version', resourceVersion: metadata.resourceVersion };
  }
  const status = 'details' in answer ? answer.details : undefined;
  return { effect: 'gone', uid: metadata?.uid ?? status?.uid ?? options?.preconditions?.uid };
}

/** Finalizers and a grace period keep a deleted object for a while. */
function livesOn({ deletionTimestamp, finalizers, deletionGracePeriodSeconds }: KubeObject['metadata']): boolean {
  if (deletionTimestamp === undefined) return false;
  return (finalizers?.length ?? 0) > 0 || (deletionGracePeriodSeconds ?? 0) > 0;
}
