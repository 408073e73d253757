import type { BandwidthPackage } from '../estate/eip.ts';
import type { ActionContext } from '../rpc/action.ts';
import { neededText } from '../rpc/params.ts';
import { notFound, refusal } from '../rpc/rpc-error.ts';

/** The package that a call names, in the region and the account of the call. */
export function findPackage({ params, regionId, caller, world }: ActionContext): BandwidthPackage {
  const held = world.estate.package(neededText(params, 'BandwidthPackageId'));
  if (!held || held.regionId !== regionId || held.accountId !== caller.accountId) {
    const message = 'The specified BandwidthPackageId does not exist in our records.';
    throw notFound('InvalidBandwidthPackageId.NotFound', message);
  }
  return held;
}

/** One change of its members at a time, where the simulator is told so. */
export function occupyPackage(held: BandwidthPackage, { estate, delays }: ActionContext['world']): void {
  const busyUntilMs = estate.nowMs() + delays.packageBusyMs;
  if (delays.packageBusyMs > 0) estate.putPackage({ ...held, busyUntilMs });
}

export function checkIdle({ busyUntilMs }: BandwidthPackage, nowMs: number): void {
  if (busyUntilMs <= nowMs) return;
  throw refusal('BandwidthPackageOperation.conflict', 'Another operation of the bandwidth package is under way.');
}
