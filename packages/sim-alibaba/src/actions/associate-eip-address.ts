import type { Binding, Eip } from '../estate/eip.ts';
import { associate } from '../estate/moves.ts';
import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import { neededText, textOf } from '../rpc/params.ts';
import { invalidParameter, refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { checkUnlocked, findEip, incorrectStatus } from './find-eip.ts';

const instanceTypes = new Set(['EcsInstance', 'SlbInstance', 'Nat', 'NetworkInterface', 'HaVip', 'IpAddress']);
const modes = new Set(['NAT', 'BINDED', 'MULTI_BINDED']);

export const associateEipAddress = vpcAction({
  name: 'AssociateEipAddress',
  write: true,
  byToken: true,
  run: (context) => {
    const { world, params } = context;
    checkRegion(context, 'optional');
    neededText(params, 'AllocationId');
    const binding = readBinding(context);
    const eip = findEip(context);
    checkUnlocked(eip);
    checkQuiet(eip);
    if (eip.status !== 'Available') throw incorrectStatus(eip);
    checkInstance(binding, context);
    associate(world.estate, eip, binding, world.delays.associatingMs);
    return {};
  },
});

function readBinding({ params, regionId }: ActionContext): Binding {
  const instanceId = neededText(params, 'InstanceId');
  const instanceType = textOf(params, 'InstanceType') ?? 'EcsInstance';
  if (!instanceTypes.has(instanceType)) {
    throw refusal('InvalidInstanceType.ValueNotSupported', 'The specified value of InstanceType is not supported.');
  }
  const mode = textOf(params, 'Mode') ?? 'NAT';
  if (!modes.has(mode)) throw invalidParameter('Mode');
  const vpcId = instanceType === 'IpAddress' ? neededText(params, 'VpcId') : textOf(params, 'VpcId');
  const privateIpAddress = textOf(params, 'PrivateIpAddress');
  return {
    instanceId,
    instanceType,
    mode,
    regionId: textOf(params, 'InstanceRegionId') ?? regionId,
    ...(vpcId !== undefined && { vpcId }),
    ...(privateIpAddress !== undefined && { privateIpAddress }),
  };
}

/** Whatever moves into a package or out of it cannot be bound at the same time. */
export function checkQuiet({ membership }: Eip): void {
  if (!membership || membership.relation === 'BINDED') return;
  throw refusal('TaskConflict', 'The operation conflicts with another one of the elastic IP.');
}

/** A NAT gateway takes several addresses, a server only one. */
function checkInstance({ instanceId, instanceType }: Binding, { world }: ActionContext): void {
  const bound = world.estate.eips().filter(({ binding }) => binding?.instanceId === instanceId);
  if (instanceType === 'Nat' && bound.length >= world.quotas.eipsPerNatGateway) {
    throw refusal('QuotaExceeded.EipsPerNatGateway', 'The addresses of the NAT gateway exceed the quota.');
  }
  if (instanceType === 'EcsInstance' && bound.length > 0) {
    throw refusal('InvalidBindingStatus', 'The specified instance already has an address.');
  }
}
