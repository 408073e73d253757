import type { DescribeEipAddressesResponseBodyEipAddressesEipAddress as EipAddressModel } from '@alicloud/vpc20160428';
import type { ObservedEip } from '../eip/observed-eip.ts';

/** A model of the SDK as its fields are spelt on the wire. */
export type OnWire<M> = M extends readonly (infer I)[]
  ? readonly OnWire<I>[]
  : M extends object
    ? { readonly [K in keyof M as K extends string ? Capitalize<K> : never]?: OnWire<M[K]> }
    : M;

/** `Descritpion` was once the name of a field, and some answers still have it. */
export type EipOnWire = OnWire<EipAddressModel> & { readonly Descritpion?: string };

export function toObservedEip(item: EipOnWire): ObservedEip {
  const text = (field: keyof EipOnWire): string => (typeof item[field] === 'string' ? item[field] : '');
  return {
    id: text('AllocationId'),
    address: text('IpAddress'),
    status: text('Status'),
    bandwidth: text('EipBandwidth') || text('Bandwidth'),
    packageId: text('BandwidthPackageId'),
    internetChargeType: text('InternetChargeType'),
    instanceChargeType: text('ChargeType'),
    isp: text('ISP'),
    name: text('Name'),
    description: text('Description') || text('Descritpion'),
    resourceGroupId: text('ResourceGroupId'),
    poolId: text('PublicIpAddressPoolId'),
    securityProtectionTypes: item.SecurityProtectionTypes?.SecurityProtectionType ?? [],
    tags: Object.fromEntries((item.Tags?.Tag ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''])),
    boundTo: [text('InstanceType'), text('InstanceId')].filter((part) => part !== '').join(' '),
    locks: locksOf(item),
    deletionProtection: item.DeletionProtection === true,
    serviceManaged: item.ServiceManaged === 1,
  };
}

function locksOf({ OperationLocks, BusinessStatus }: EipOnWire): readonly string[] {
  const locks = (OperationLocks?.LockReason ?? []).flatMap(({ LockReason }) => LockReason ?? []);
  return BusinessStatus === 'FinancialLocked' && !locks.includes('financial') ? [...locks, 'financial'] : locks;
}
