import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import { flagOf } from '../rpc/params.ts';
import { refusal } from '../rpc/rpc-error.ts';
import { checkRegion } from './check-region.ts';
import { eipFilter } from './eip-filter.ts';
import { pageOf } from './page-of.ts';
import { toEipItem } from './to-eip-item.ts';

export const describeEipAddresses = vpcAction({
  name: 'DescribeEipAddresses',
  write: false,
  run: (context) => {
    checkRegion(context, 'needed');
    const matches = eipFilter(context.params, context.world);
    if (flagOf(context.params, 'DryRun')) throw refusal('DryRunOperation', 'Request validation has been passed.');
    const found = visibleEips(context).filter(matches);
    const { items, page } = pageOf(found, context.params, 100);
    const shown = items.map((eip) => toEipItem(eip, context.world.estate.package(eip.membership?.packageId ?? '')));
    return { ...page, EipAddresses: { EipAddress: shown } };
  },
});

function visibleEips({ world, caller, regionId }: ActionContext): ReturnType<typeof world.estate.eips> {
  const nowMs = world.estate.nowMs();
  return world.estate
    .eips()
    .filter((eip) => eip.accountId === caller.accountId && eip.regionId === regionId && eip.visibleFromMs <= nowMs);
}
