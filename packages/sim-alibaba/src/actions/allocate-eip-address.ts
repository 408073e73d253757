import { defaultResourceGroupId } from '../estate/default-resource-group-id.ts';
import type { Eip } from '../estate/eip.ts';
import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import { textOf } from '../rpc/params.ts';
import { refusal } from '../rpc/rpc-error.ts';
import { checkedTags } from './checked-tags.ts';
import { checkRegion } from './check-region.ts';
import { freeAddress } from './free-address.ts';
import { readAllocation } from './read-allocation.ts';

export const allocateEipAddress = vpcAction({
  name: 'AllocateEipAddress',
  write: true,
  byToken: true,
  run: (context) => {
    checkRegion(context, 'needed');
    const eip = toEip(context);
    checkQuota(context, eip);
    context.world.estate.putEip(eip);
    const { allocationId, ipAddress, resourceGroupId } = eip;
    if (eip.chargeType === 'PrePaid') return { AllocationId: allocationId, OrderId: Number(orderId(eip)) };
    return { AllocationId: allocationId, EipAddress: ipAddress, ResourceGroupId: resourceGroupId };
  },
});

function toEip({ params, regionId, caller, world }: ActionContext): Eip {
  const { estate, ids, now, delays } = world;
  const { period, ...asked } = readAllocation(params);
  const tags = checkedTags({}, params, { most: world.quotas.tagsPerEip, emptyValues: false });
  return {
    ...asked,
    allocationId: ids.resource('eip'),
    accountId: caller.accountId,
    regionId,
    ipAddress: freeAddress(estate, textOf(params, 'IpAddress')),
    status: 'Available',
    resourceGroupId: textOf(params, 'ResourceGroupId') ?? defaultResourceGroupId,
    publicIpAddressPoolId: textOf(params, 'PublicIpAddressPoolId') ?? '',
    zone: textOf(params, 'Zone') ?? '',
    tags,
    tagHistory: [{ sinceMs: estate.nowMs(), tags }],
    locks: [],
    deletionProtection: false,
    serviceManaged: false,
    allocatedAt: now(),
    visibleFromMs: estate.nowMs() + delays.describeLagMs,
    tasks: { status: 0, membership: 0 },
    ...(period !== undefined && { expiresAt: now() + period }),
  };
}

function checkQuota({ world, caller }: ActionContext, eip: Eip): void {
  if (eip.chargeType !== 'PostPaid') return;
  const held = world.estate.eips().filter(({ accountId, chargeType }) => {
    return accountId === caller.accountId && chargeType === 'PostPaid';
  });
  if (held.length >= world.quotas.eips) throw refusal('QuotaExceeded.Eip', 'Elastic IP address quota exceeded');
}

function orderId({ ipAddress }: Eip): string {
  return `2${ipAddress.replaceAll('.', '')}`;
}
