import { vpcAction } from '../rpc/action.ts';
import { neededText } from '../rpc/params.ts';
import { invalidParameter, notFound } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { findEip } from './find-eip.ts';

export const moveResourceGroup = vpcAction({
  name: 'MoveResourceGroup',
  write: true,
  run: (context) => {
    const { params } = context;
    checkRegion(context, 'needed');
    neededText(params, 'ResourceId');
    const group = neededText(params, 'NewResourceGroupId');
    if (!/^rg-[\w-]+$/.test(group)) throw notFound('EntityNotExist.ResourceGroup', 'The group does not exist.');
    if (neededText(params, 'ResourceType').toLowerCase() !== 'eip') throw invalidParameter('ResourceType');
    const eip = findEip(context, 'ResourceId');
    if (eip.resourceGroupId !== group) context.world.estate.putEip({ ...eip, resourceGroupId: group });
    return {};
  },
});
