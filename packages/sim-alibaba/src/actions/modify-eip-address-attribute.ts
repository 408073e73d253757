import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import type { Eip } from '../estate/eip.ts';
import { textOf } from '../rpc/params.ts';
import { refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { checkDescription, checkName } from './check-text.ts';
import { findEip, incorrectStatus } from './find-eip.ts';
import { readBandwidth } from './read-bandwidth.ts';

export const modifyEipAddressAttribute = vpcAction({
  name: 'ModifyEipAddressAttribute',
  write: true,
  run: (context) => {
    checkRegion(context, 'optional');
    const eip = findEip(context);
    if (eip.status !== 'Available' && eip.status !== 'InUse') throw incorrectStatus(eip);
    const changed = modified(eip, context);
    // What is as it was is no change.
    if (Object.entries(changed).some(([name, value]) => eip[name as keyof Eip] !== value)) {
      context.world.estate.putEip({ ...eip, ...changed });
    }
    return {};
  },
});

type Changes = Partial<Pick<Eip, 'bandwidth' | 'name' | 'description'>>;

function modified(eip: Eip, { params }: ActionContext): Changes {
  const bandwidth = readBandwidth(params, eip);
  if (bandwidth !== undefined && eip.chargeType === 'PrePaid') {
    throw refusal('Forbidden.ChargeTypeIsPrepaid', 'The bandwidth of a subscription cannot be modified.');
  }
  const name = textOf(params, 'Name');
  const description = textOf(params, 'Description');
  checkName(name ?? '');
  checkDescription(description ?? '');
  return {
    ...(bandwidth !== undefined && { bandwidth }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
}
