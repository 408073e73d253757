import { leavePackage } from '../estate/moves.ts';
import { vpcAction } from '../rpc/action.ts';
import { neededText } from '../rpc/params.ts';
import { refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { findEip } from './find-eip.ts';
import { checkIdle, findPackage, occupyPackage } from './find-package.ts';

export const removeCommonBandwidthPackageIp = vpcAction({
  name: 'RemoveCommonBandwidthPackageIp',
  write: true,
  byToken: true,
  run: (context) => {
    const { world, params } = context;
    checkRegion(context, 'needed');
    neededText(params, 'IpInstanceId');
    const held = findPackage(context);
    const eip = findEip(context, 'IpInstanceId');
    if (eip.membership?.packageId !== held.bandwidthPackageId) {
      throw refusal('OperationUnsupported.IpNotInCbwp', 'The elastic IP is not in the bandwidth package.');
    }
    checkIdle(held, world.estate.nowMs());
    if (eip.membership.relation !== 'BINDED' || (eip.status !== 'Available' && eip.status !== 'InUse')) {
      throw refusal('TaskConflict', 'The operation conflicts with another one of the elastic IP.');
    }
    occupyPackage(held, world);
    leavePackage(world.estate, eip, held.bandwidthPackageId, world.delays.unbindingMs);
    return {};
  },
});
