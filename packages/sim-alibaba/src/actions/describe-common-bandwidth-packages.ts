import type { BandwidthPackage } from '../estate/eip.ts';
import { vpcAction } from '../rpc/action.ts';
import type { ActionContext, Reply } from '../rpc/action.ts';
import { textOf } from '../rpc/params.ts';
import { toTime } from '../world.ts';
import { checkRegion } from './check-region.ts';
import { pageOf } from './page-of.ts';

export const describeCommonBandwidthPackages = vpcAction({
  name: 'DescribeCommonBandwidthPackages',
  write: false,
  run: (context) => {
    checkRegion(context, 'needed');
    const { items, page } = pageOf(foundPackages(context), context.params, 50);
    const shown = items.map((held) => toPackageItem(held, context));
    return { ...page, CommonBandwidthPackages: { CommonBandwidthPackage: shown } };
  },
});

function foundPackages({ params, regionId, caller, world }: ActionContext): readonly BandwidthPackage[] {
  const [id, name, group] = ['BandwidthPackageId', 'Name', 'ResourceGroupId'].map((key) => textOf(params, key));
  return world.estate
    .packages()
    .filter((held) => held.regionId === regionId && held.accountId === caller.accountId)
    .filter((held) => id === undefined || held.bandwidthPackageId === id)
    .filter((held) => name === undefined || held.name === name)
    .filter((held) => group === undefined || held.resourceGroupId === group);
}

function toPackageItem(held: BandwidthPackage, { world }: ActionContext): Reply {
  const members = world.estate.eips().filter(({ membership }) => membership?.packageId === held.bandwidthPackageId);
  const addresses = members.map((eip) => ({
    AllocationId: eip.allocationId,
    IpAddress: eip.ipAddress,
    BandwidthPackageIpRelationStatus: eip.membership?.relation,
  }));
  return {
    BandwidthPackageId: held.bandwidthPackageId,
    Bandwidth: String(held.bandwidth),
    Name: held.name,
    Description: held.description,
    RegionId: held.regionId,
    ResourceGroupId: held.resourceGroupId,
    ISP: held.isp,
    Status: 'Available',
    BusinessStatus: 'Normal',
    InstanceChargeType: 'PostPaid',
    InternetChargeType: 'PayByBandwidth',
    Ratio: 20,
    DeletionProtection: false,
    CreationTime: toTime(held.createdAt),
    ExpiredTime: '',
    HasReservationData: 'false',
    ServiceManaged: 0,
    SecurityProtectionTypes: { SecurityProtectionType: [...held.securityProtectionTypes] },
    PublicIpAddresses: { PublicIpAddresse: addresses },
  };
}
