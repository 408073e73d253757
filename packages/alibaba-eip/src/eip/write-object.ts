import { removeFinalizerPatch } from '@tributary/runtime';
import type { KubeClient, ObjectRef } from '@tributary/runtime';
import { statusPatch } from './eip-status.ts';
import type { EipStep } from './eip-step.ts';
import { finalizer, memoryAnnotation, toAnnotation } from './memory.ts';
import type { Observation } from './observed-eip.ts';
import { eipKind } from './resource.ts';
import type { EipObject } from './resource.ts';
import type { Report } from './report.ts';

type Writer = Pick<KubeClient, 'patch' | 'patchStatus'>;

/** Only if nobody wrote the object since we read it: what we are about to do was decided on what we read. */
export async function writeMemory(
  client: Writer,
  object: EipObject,
  { memory, specAllocationID }: Extract<EipStep, { do: 'remember' }>,
): Promise<EipObject> {
  const { uid = '', resourceVersion } = object.metadata;
  const finalizers = [...new Set([...(object.metadata.finalizers ?? []), finalizer])];
  const annotations = { [memoryAnnotation]: toAnnotation(memory, uid) };
  const body = {
    metadata: { uid, resourceVersion, annotations, finalizers },
    ...(specAllocationID !== undefined && { spec: { allocationID: specAllocationID } }),
  };
  return client.patch(eipKind, refOf(object), { type: 'merge', body });
}

/**
 * The id, and nothing that could be a conflict: a spec edited meanwhile must not keep it from being stored. The uid
 * sees to it that no object of the same name gets another's address.
 */
export async function writeId(
  client: Writer,
  object: EipObject,
  status: { allocationID: string; eipAddress?: string },
): Promise<EipObject> {
  const body = { metadata: { uid: object.metadata.uid }, status };
  return client.patchStatus(eipKind, refOf(object), { type: 'merge', body });
}

/** Writes nothing when the status says it already. */
export async function writeStatus(
  client: Writer,
  object: EipObject,
  {
    observation,
    report,
    nowMs,
  }: { readonly observation: Observation; readonly report: Report; readonly nowMs: number },
): Promise<EipObject> {
  const status = statusPatch(object, observation, report, nowMs);
  if (!status) return object;
  const { uid, resourceVersion } = object.metadata;
  return client.patchStatus(eipKind, refOf(object), {
    type: 'merge',
    body: { metadata: { uid, resourceVersion }, status },
  });
}

export async function removeFinalizer(client: Writer, object: EipObject): Promise<EipObject> {
  const patch = removeFinalizerPatch(object, finalizer);
  return patch ? client.patch(eipKind, refOf(object), patch) : object;
}

function refOf({ metadata }: EipObject): ObjectRef {
  return { namespace: metadata.namespace, name: metadata.name ?? '' };
}
