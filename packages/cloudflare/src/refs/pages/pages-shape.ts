import { z } from 'zod';
import { observed } from '../cloudflare-kind.ts';
import type { View } from '../../engine/l2-controllers/contributor.ts';

const text = z.string();

export const pagesWords = { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' } as const;

export const deletionPolicy = z
  .enum(['Delete', 'Orphan'])
  .default('Delete')
  .describe('What becomes of it at Cloudflare when this object is deleted');

/** What every status of a Pages kind has, beside its state. */
export const pagesStatus = {
  accountId: text.optional(),
  message: text.optional(),
  ...observed,
};

/** The fields of a status that they fill alike. */
export function pagesStatusOf({ ready, parts }: View): Readonly<Record<string, unknown>> {
  const [part] = parts;
  return { message: ready.message, ...(part && { accountId: part.contribution.syncState.accountId }) };
}
