import type { ObjectMeta } from '@tributary/runtime';
import { z } from 'zod';
import type { Part, View } from '../../engine/l2-controllers/contributor.ts';
import { observed } from '../cloudflare-kind.ts';

const text = z.string();

export const uuid = text.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const displayName = text.max(255).optional().describe('The name at Cloudflare; that of this object when absent');
export const decision = z.enum(['allow', 'deny', 'bypass', 'non_identity']).default('allow');

/** What every status of an Access kind has. */
export const accessStatus = {
  accountId: text.optional(),
  state: text.optional(),
  ...observed,
};

export const accessWords = { synced: 'Synced', pending: 'Pending', failed: 'CreateFailed' } as const;

export function nameAtCloudflare(metadata: ObjectMeta, spec: { readonly name?: string | undefined }): string {
  return spec.name || (metadata.name ?? '');
}

type Before = { readonly state?: string | undefined } | undefined;

/** The fields of a status that all Access kinds fill alike; `ready` is the word of the kind for a good state. */
export function commonStatus(
  view: View,
  before: Before,
  idField: string,
  ready = 'Ready',
): Readonly<Record<string, unknown>> {
  const part: Part | undefined = view.parts[0];
  return {
    state: stateOf(view, before?.state, ready),
    ...(part && { accountId: part.contribution.syncState.accountId }),
    ...(part?.id && view.losses.length === 0 && { [idField]: part.id }),
  };
}

/** What has once been ready stays so while a change is on its way. */
function stateOf({ state, losses }: View, before: string | undefined, ready: string): string {
  if (state === 'Error' || losses.length > 0) return 'error';
  return state === 'Synced' || before === ready ? ready : 'pending';
}
