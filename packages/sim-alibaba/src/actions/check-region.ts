import type { ActionContext } from '../rpc/action.ts';
import { neededText } from '../rpc/params.ts';
import { notFound } from '../rpc/rpc-error.ts';

export function checkRegion({ params, regionId, world }: ActionContext, region: 'needed' | 'optional'): void {
  if (region === 'needed') neededText(params, 'RegionId');
  if (world.isRegion(regionId)) return;
  throw notFound('InvalidRegionId.NotFound', 'The specified RegionId does not exist in our records.');
}
