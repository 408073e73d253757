import { joinPackage } from '../estate/moves.ts';
import type { BandwidthPackage, Eip } from '../estate/eip.ts';
import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import { neededText, textOf } from '../rpc/params.ts';
import { invalidParameter, refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { findEip } from './find-eip.ts';
import { checkIdle, findPackage, occupyPackage } from './find-package.ts';

export const addCommonBandwidthPackageIp = vpcAction({
  name: 'AddCommonBandwidthPackageIp',
  write: true,
  byToken: true,
  run: (context) => {
    const { world, params } = context;
    checkRegion(context, 'needed');
    neededText(params, 'IpInstanceId');
    if ((textOf(params, 'IpType') ?? 'EIP') !== 'EIP') throw invalidParameter('IpType');
    const held = findPackage(context);
    const eip = findEip(context, 'IpInstanceId');
    checkIdle(held, world.estate.nowMs());
    checkFits(eip, held);
    checkFree(eip);
    checkRoom(held, world);
    occupyPackage(held, world);
    joinPackage(world.estate, eip, held.bandwidthPackageId, world.delays.bindingMs);
    return {};
  },
});

/** Pay-as-you-go, the same line and the same protection. */
function checkFits(eip: Eip, held: BandwidthPackage): void {
  if (eip.chargeType === 'PrePaid') {
    throw refusal('Forbidden.ChargeTypeIsPrepaid', 'A subscription cannot join a bandwidth package.');
  }
  if (eip.isp !== held.isp) throw refusal('OperationDenied.IspInconsistent', 'The line types are not the same.');
  if (eip.securityProtectionTypes.join() !== held.securityProtectionTypes.join()) {
    const message = 'The protection types of the address and the package are not the same.';
    throw refusal('OperationDenied.SecurityProtectionTypesInconsistent', message);
  }
}

/** In no package yet, and with nothing else under way. */
function checkFree({ status, membership }: Eip): void {
  if (status !== 'Available' && status !== 'InUse') {
    throw refusal('IncorrectStatus.Eip', 'The status of the elastic IP does not support this operation.');
  }
  if (membership?.relation === 'BINDED') {
    throw refusal('OperationUnsupported.EipInCbwp', 'The elastic IP is in a bandwidth package already.');
  }
  if (membership) throw refusal('TaskConflict', 'The operation conflicts with another one of the elastic IP.');
}

function checkRoom({ bandwidthPackageId }: BandwidthPackage, { estate, quotas }: ActionContext['world']): void {
  const members = estate.eips().filter(({ membership }) => membership?.packageId === bandwidthPackageId);
  if (members.length >= quotas.eipsPerPackage) {
    throw refusal('QuotaExceeded.BandwidthPackageIps', 'The addresses of the bandwidth package exceed the quota.');
  }
}
