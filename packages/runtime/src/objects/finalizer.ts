import type { Patch } from '../client/kube-client.ts';
import type { KubeObject } from '../object.ts';
import { metadataPatch } from './metadata-patch.ts';

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** The object with the finalizer; the same object if it has it already. */
export function withFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** The object without the finalizer; the same object if it does not have it. */
export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  return withFinalizers(
    object,
    (object.metadata.finalizers ?? []).filter((other) => other !== finalizer),
  );
}

/** The patch that adds it, undefined if it is there. A finalizer that another writer adds meanwhile is a conflict. */
export function addFinalizerPatch(object: KubeObject, finalizer: string): Patch | undefined {
  return finalizersPatch(object, withFinalizer(object, finalizer));
}

/** The patch that removes it and no other, undefined if it is gone. */
export function removeFinalizerPatch(object: KubeObject, finalizer: string): Patch | undefined {
  return finalizersPatch(object, withoutFinalizer(object, finalizer));
}

function finalizersPatch(before: KubeObject, after: KubeObject): Patch | undefined {
  return metadataPatch(before, { finalizers: after.metadata.finalizers ?? [] });
}

function withFinalizers<T extends KubeObject>(object: T, finalizers: readonly string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
