import type { Refs } from '../engine/l2-controllers/contributor.ts';
import { contribution } from '../engine/l4-state/contract.ts';
import { cloudflareDomainContract } from '../targets/cloudflare-domain/contract.ts';
import type { Zone } from './zone-of.ts';

/** The plan of a zone (`free`, `pro`, …), where a SyncState of its domain tells it. */
export function zonePlan(refs: Refs, { accountId, domain, credentials }: Zone): string | undefined {
  if (domain === '') return undefined;
  const { syncState } = contribution(cloudflareDomainContract, { accountId, domain }, {}, { credentials });
  return refs.syncState(syncState.name)?.status?.resultData?.['plan'] || undefined;
}
