import { isVpcError } from '../provider/vpc-error.ts';
import type { VpcError } from '../provider/vpc-error.ts';
import { deletionStartedMs, idOf } from './eip-world.ts';
import { no, waysOut, yes } from './report.ts';
import type { Reason, Report } from './report.ts';
import type { EipObject } from './resource.ts';

/** Refusals that tell the user that the spec is at fault. */
const specCodes: ReadonlySet<string> = new Set([
  'InvalidParameter',
  'MissingParameter',
  'QueryParameter.Illegal',
  'InvalidBandwidth.Malformed',
  'InvalidRegion.NotSupport',
  'COMMODITY.INVALID_COMPONENT',
  'COMMODITY_NO_EXIST',
  'InvalidBandwidthPackageId.NotFound',
  'OperationDenied.SecurityProtectionTypesInconsistent',
  'InvalidBandwidth.OutOfMaxTrafficBindedOnNatgw',
  'Forbidden.ChargeTypeIsPrepaid',
]);

/** What the conditions say after a failure. What was under way is still under way. */
export function toFailureReport(error: unknown, object: EipObject): Report {
  const reason = reasonOf(error);
  const isDeleting = deletionStartedMs(object) !== undefined;
  const wayOut = isDeleting && isVpcError(error, 'terminal') ? `; ${waysOut}` : '';
  const message = `${error instanceof Error ? error.message : String(error)}${wayOut}`;
  const failed = { ready: no(reason, message), synced: no(reason, message) };
  if (isDeleting) return { ...failed, progressing: yes('Deleting', message) };
  if (idOf(object) === undefined) return { ...failed, progressing: yes('Creating', message) };
  return failed;
}

/** The event that goes with it: the original's words. */
export function toFailureEvent(error: unknown): string {
  if (isVpcError(error, 'throttled')) return 'Throttled';
  if (isVpcError(error) && error.facts.action === 'AllocateEipAddress') return 'CreateFailed';
  if (isVpcError(error) && error.facts.action === 'ReleaseEipAddress') return 'ReleaseFailed';
  return 'ReconcileFailed';
}

function reasonOf(error: unknown): Reason {
  if (isVpcError(error, 'throttled')) return 'Throttled';
  return isVpcError(error, 'terminal') && blamesSpec(error) ? 'InvalidConfig' : 'SyncFailed';
}

function blamesSpec({ facts }: VpcError): boolean {
  return specCodes.has(facts.vpcCode);
}
