import { unassociate } from '../estate/moves.ts';
import { vpcAction } from '../rpc/action.ts';
import { textOf } from '../rpc/params.ts';
import { notFound } from '../rpc/rpc-error.ts';
import { checkQuiet } from './associate-eip-address.ts';
import { checkRegion } from './check-region.ts';
import { checkUnlocked, findEip, incorrectStatus } from './find-eip.ts';

export const unassociateEipAddress = vpcAction({
  name: 'UnassociateEipAddress',
  write: true,
  byToken: true,
  run: (context) => {
    const { world, params } = context;
    checkRegion(context, 'optional');
    const eip = findEip(context);
    checkUnlocked(eip);
    checkQuiet(eip);
    if (eip.status !== 'InUse') throw incorrectStatus(eip);
    const instanceId = textOf(params, 'InstanceId');
    if (instanceId !== undefined && instanceId !== eip.binding?.instanceId) {
      throw notFound('InvalidInstanceId.NotFound', 'The specified InstanceId does not exist in our records.');
    }
    unassociate(world.estate, eip, world.delays.unassociatingMs);
    return {};
  },
});
