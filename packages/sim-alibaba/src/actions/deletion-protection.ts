import { vpcAction } from '../rpc/action.ts';
import { flagOf, neededText } from '../rpc/params.ts';
import { invalidParameter } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { findEip } from './find-eip.ts';

export const deletionProtection = vpcAction({
  name: 'DeletionProtection',
  write: true,
  byToken: true,
  run: (context) => {
    const { params, world } = context;
    checkRegion(context, 'needed');
    if (neededText(params, 'Type') !== 'EIP') throw invalidParameter('Type');
    neededText(params, 'ProtectionEnable');
    const enabled = flagOf(params, 'ProtectionEnable') === true;
    const eip = findEip(context, 'InstanceId');
    if (eip.deletionProtection !== enabled) world.estate.putEip({ ...eip, deletionProtection: enabled });
    return {};
  },
});
