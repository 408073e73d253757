import { numbered, tagParams } from '../provider/eip-calls.ts';
import { ownerTags } from './owner-tags.ts';
import type { EipObject } from './resource.ts';

/** What the original says of an address whose object says nothing. */
export const defaultDescription = 'created by alibabacloud-eip-operator';

export type AllocateContext = { readonly regionId: string; readonly clusterId: string };

/**
 * The parameters of Allocate. They are stored with the token before the call and sent as they were stored: an edit
 * of the spec between two attempts must not change them.
 */
export function toAllocateParams(
  object: Pick<EipObject, 'metadata' | 'spec'>,
  { regionId, clusterId }: AllocateContext,
): Readonly<Record<string, string>> {
  const { spec } = object;
  // Allocate refuses tags without a value; TagResources takes them later.
  const tags = Object.entries(spec.tags ?? {}).filter(([, value]) => value !== '');
  const given = {
    Bandwidth: spec.bandwidth,
    InternetChargeType: spec.internetChargeType || 'PayByTraffic',
    InstanceChargeType: spec.instanceChargeType,
    ISP: spec.isp,
    PublicIpAddressPoolId: spec.publicIPAddressPoolID,
    ResourceGroupId: spec.resourceGroupID,
    Name: spec.name,
    Description: spec.description || defaultDescription,
  };
  return {
    RegionId: regionId,
    ...Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))),
    ...numbered('SecurityProtectionTypes', spec.securityProtectionTypes ?? []),
    ...tagParams([...Object.entries(ownerTags(clusterId, object)), ...tags]),
  };
}
