import type { BandwidthPackage, Eip } from '../estate/eip.ts';
import type { Reply } from '../rpc/action.ts';
import { toTime } from '../world.ts';

/**
 * An address as DescribeEipAddresses shows it. In a package `Bandwidth` is the package's, and the address's own
 * moves to `EipBandwidth`.
 */
export function toEipItem(eip: Eip, joined: BandwidthPackage | undefined): Reply {
  const { binding } = eip;
  return {
    AllocationId: eip.allocationId,
    IpAddress: eip.ipAddress,
    Status: eip.status,
    ...bandwidthOf(eip, joined),
    InternetChargeType: eip.internetChargeType,
    ChargeType: eip.chargeType,
    ISP: eip.isp,
    Name: eip.name,
    Description: eip.description,
    ResourceGroupId: eip.resourceGroupId,
    PublicIpAddressPoolId: eip.publicIpAddressPoolId,
    RegionId: eip.regionId,
    Zone: eip.zone,
    InstanceId: binding?.instanceId ?? '',
    InstanceType: binding?.instanceType ?? '',
    InstanceRegionId: binding?.regionId ?? '',
    PrivateIpAddress: binding?.privateIpAddress ?? '',
    VpcId: binding?.vpcId ?? '',
    Mode: binding?.mode ?? '',
    Tags: { Tag: Object.entries(eip.tags).map(([Key, Value]) => ({ Key, Value })) },
    SecurityProtectionTypes: { SecurityProtectionType: [...eip.securityProtectionTypes] },
    OperationLocks: { LockReason: eip.locks.map((LockReason) => ({ LockReason })) },
    BusinessStatus: eip.locks.includes('financial') ? 'FinancialLocked' : 'Normal',
    DeletionProtection: eip.deletionProtection,
    ServiceManaged: eip.serviceManaged ? 1 : 0,
    AllocationTime: toTime(eip.allocatedAt),
    ExpiredTime: eip.expiresAt === undefined ? '' : toTime(eip.expiresAt),
    HasReservationData: 'false',
    SegmentInstanceId: '',
    HDMonitorStatus: 'OFF',
    BizType: 'default',
    Netmode: 'public',
  };
}

function bandwidthOf({ bandwidth, membership }: Eip, joined: BandwidthPackage | undefined): Reply {
  const own = String(bandwidth);
  if (!membership || !joined) return { Bandwidth: own, BandwidthPackageId: '', BandwidthPackageType: '' };
  const named = {
    BandwidthPackageId: membership.packageId,
    BandwidthPackageType: 'CommonBandwidthPackage',
    BandwidthPackageBandwidth: String(joined.bandwidth),
  };
  if (membership.relation === 'BINDING') return { Bandwidth: own, ...named };
  return { Bandwidth: String(joined.bandwidth), EipBandwidth: own, ...named };
}
