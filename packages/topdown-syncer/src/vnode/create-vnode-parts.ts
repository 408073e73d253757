import { OperatorError } from '@tributary/runtime';
import type { Runnable } from '@tributary/runtime';
import type { Sides } from '../sides.ts';
import { createCsiNodeController } from './csinode-controller.ts';
import { createHostPortController } from './host-port-controller.ts';
import { createNodeLeases } from './node-leases.ts';
import { openOccupancy } from './occupancy.ts';
import type { Occupancy } from './occupancy.ts';
import type { PhysicalPing } from './physical-ping.ts';
import { createPolicyController } from './policy-controller.ts';
import { isTimeZone } from './time-windows.ts';
import { createVnodeController } from './vnode-controller.ts';
import type { VnodeOptions } from './vnode-controller.ts';

export type VnodeParts = { readonly runnables: readonly Runnable[]; readonly occupancy: Occupancy };

/** Everything about virtual nodes. The ping itself is run by whoever made it, for it is asked on every replica. */
export function createVnodeParts(
  options: VnodeOptions,
  sides: Sides & { readonly ping: Pick<PhysicalPing, 'answers'> },
): VnodeParts {
  const { timeZone } = options;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new OperatorError('syncer/bad-time-zone', `there is no time zone ${timeZone}`, { kind: 'never' });
  }
  const occupancy = openOccupancy(sides);
  const deps = { ...sides, occupancy };
  return {
    occupancy,
    runnables: [
      createVnodeController(options, deps),
      createNodeLeases({}, sides),
      createPolicyController(options, sides),
      createCsiNodeController(sides),
      createHostPortController(deps),
    ],
  };
}
