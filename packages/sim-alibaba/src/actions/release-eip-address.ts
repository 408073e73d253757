import { release } from '../estate/moves.ts';
import { vpcAction } from '../rpc/action.ts';
import { notFound, refusal } from '../rpc/rpc-error.ts';
import { checkUnlocked, findEip, incorrectStatus } from './find-eip.ts';

export const releaseEipAddress = vpcAction({
  name: 'ReleaseEipAddress',
  write: true,
  run: (context) => {
    const { world, regionId } = context;
    if (!world.isRegion(regionId)) throw notFound('Forbidden.RegionNotFound', 'The specified region does not exist.');
    const eip = findEip(context);
    if (eip.chargeType === 'PrePaid') {
      throw refusal('Forbidden.ChargeTypeIsPrepaid', 'A subscription cannot be released before it ends.');
    }
    if (eip.serviceManaged) {
      throw refusal('OperationUnsupported.ServiceManaged', 'The resource is managed by a cloud service.');
    }
    if (eip.deletionProtection) {
      throw refusal('InvalidOperation.DeletionProtection', 'The resource is protected against deletion.');
    }
    checkUnlocked(eip);
    if (eip.status !== 'Available' || eip.membership) throw incorrectStatus(eip);
    release(world.estate, eip, world.delays.releasingMs);
    return {};
  },
});
