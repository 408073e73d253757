import type { ObjectMeta } from '@tributary/runtime';
import type { View } from '../engine/l2-controllers/contributor.ts';
import { adoptWish } from './adopt-wish.ts';
import { nameAtCloudflare } from './access/access-shape.ts';

// What the kinds of Gateway and of devices have in common.

/** Ready in their words. */
export const accountObjectWords = { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' } as const;

type Named = {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly name?: string | undefined; readonly description?: string | undefined };
};

/** The config of an object that is wanted as a whole: its name and description, and the rest of the request. */
export function ownedConfigOf(
  { metadata, spec }: Named,
  body: Readonly<Record<string, unknown>>,
): { name: string; description?: string; body: Record<string, unknown>; adopt?: true } {
  const { description } = spec;
  return {
    name: nameAtCloudflare(metadata, spec),
    ...(description && { description }),
    body: { ...body },
    ...adoptWish(metadata),
  };
}

type Before = { readonly state?: string | undefined } | undefined;

/** The fields of a status that they fill alike. What has once been ready stays so while a change is on its way. */
export function accountObjectStatus(view: View, before: Before, idField?: string): Readonly<Record<string, unknown>> {
  const { state, losses, parts } = view;
  const [part] = parts;
  const good = state === 'Synced' || before?.state === 'Ready' ? 'Ready' : 'Pending';
  return {
    state: state === 'Error' || losses.length > 0 ? 'Error' : good,
    ...(part && { accountId: part.contribution.syncState.accountId }),
    ...(idField && part?.id && losses.length === 0 && { [idField]: part.id }),
  };
}
