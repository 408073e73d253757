import { isConflict, removeFinalizerPatch } from '@tributary/runtime';
import type { KubeClient, ObjectRef } from '@tributary/runtime';
import { statusPatch } from './eip-status.ts';
import type { EipStep } from './eip-step.ts';
import { finalizer, memoryAnnotation, toAnnotation } from './memory.ts';
import type { Observation } from './observed-eip.ts';
import { eipKind } from './resource.ts';
import type { EipObject } from './resource.ts';
import type { Report } from './report.ts';

type Writer = Pick<KubeClient, 'patch' | 'patchStatus'>;

/** Somebody who writes the object without pause; the token brings the same address back later. */
const mostAttempts = 10;

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
 * The id, whatever was edited meanwhile: a conflict is read anew and tried again. The server takes no notice of a uid in a
 * patch of a custom object's status, so it is the version that keeps the id from an object that took the name.
 */
export async function writeId(
  client: Writer & Pick<KubeClient, 'get'>,
  object: EipObject,
  status: { allocationID: string; eipAddress?: string },
): Promise<EipObject> {
  let current = object;
  for (let attempt = 1; ; attempt += 1) {
    const { resourceVersion } = current.metadata;
    try {
      const body = { metadata: { resourceVersion }, status };
      return await client.patchStatus(eipKind, refOf(object), { type: 'merge', body });
    } catch (error) {
      if (!isConflict(error) || attempt >= mostAttempts) throw error;
      current = await client.get(eipKind, refOf(object));
      if (current.metadata.uid !== object.metadata.uid) throw error;
    }
  }
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
