import type { ActorContext } from '../registry/actor.ts';
import { ApiError } from '../registry/api-error.ts';
import { equalValues } from '../schema/correlation.ts';
import { setCondition } from './crd-conditions.ts';
import { crdResource, crdStatus } from './crd-object.ts';
import type { CrdCondition, CrdStatus } from './crd-object.ts';

/** Writes the status of a CRD unless it is so already. */
export async function writeCrdStatus({ client }: ActorContext, name: string, status: CrdStatus): Promise<void> {
  await settled(
    client.change(
      crdResource,
      { name },
      (draft) => {
        if (equalValues(draft['status'], status)) return false;
        draft['status'] = structuredClone(status);
        return true;
      },
      { subresource: 'status' },
    ),
  );
}

export async function addCrdCondition(context: ActorContext, name: string, condition: CrdCondition): Promise<void> {
  const crd = context.store.get(crdResource, { name });
  if (!crd) return;
  const status = crdStatus(crd);
  const conditions = setCondition(status.conditions ?? [], condition, context.hooks.now());
  await writeCrdStatus(context, name, { ...status, conditions });
}

/** Somebody else may have been faster, or the object gone: the next event brings us back to what is true then. */
export async function settled(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error;
  }
}
