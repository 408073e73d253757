import type { Eip } from '../estate/eip.ts';
import type { ActionContext } from '../rpc/action.ts';
import { listOf, neededText } from '../rpc/params.ts';
import { missingParameter, notFound, refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';

const mostResources = 50;

export function checkTagRequest(context: ActionContext): void {
  checkRegion(context, 'needed');
  const type = neededText(context.params, 'ResourceType');
  if (type !== 'EIP') throw refusal('InvalidResourceType.NotFound', 'The specified resource type is not supported.');
}

/** The addresses that a call names; all of them must be there. */
export function findTagged({ params, regionId, caller, world }: ActionContext): readonly Eip[] {
  const ids = listOf(params, 'ResourceId');
  if (ids.length === 0) throw missingParameter('ResourceId.N');
  if (ids.length > mostResources) throw refusal('NumberExceed.ResourceIds', 'Too many resources.');
  return [...new Set(ids)].map((id) => {
    const eip = world.estate.eip(id);
    if (eip?.accountId === caller.accountId && eip.regionId === regionId) return eip;
    throw notFound('InvalidResourceId.NotFound', `The specified resource ${id} does not exist.`);
  });
}
