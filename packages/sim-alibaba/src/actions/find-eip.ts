import type { Eip } from '../estate/eip.ts';
import type { ActionContext } from '../rpc/action.ts';
import { neededText } from '../rpc/params.ts';
import { notFound, refusal } from '../rpc/rpc-error.ts';

/** The address that a call names, in the region and the account of the call. */
export function findEip({ params, regionId, caller, world }: ActionContext, name = 'AllocationId'): Eip {
  const eip = world.estate.eip(neededText(params, name));
  if (!eip || eip.regionId !== regionId) {
    throw notFound('InvalidAllocationId.NotFound', 'The specified AllocationId does not exist in our records.');
  }
  // The misspelling is the provider's.
  if (eip.accountId !== caller.accountId) throw refusal('Forbbiden', 'The caller is not the owner of the resource.');
  return eip;
}

export function incorrectStatus({ status }: Eip): Error {
  return refusal('IncorrectEipStatus', `Current elastic IP status does not support this operation: ${status}.`);
}

/** An address that is locked for security can be neither bound, unbound nor released. */
export function checkUnlocked({ locks }: Eip): void {
  if (locks.includes('security')) {
    throw refusal('OperationDenied.EipLocked', 'The operation is denied: the elastic IP is locked for security.');
  }
}
