import { mergePatchBetween, setCondition, toTimestamp } from '@tributary/runtime';
import type { Observation } from './observed-eip.ts';
import type { ConditionSays, Report } from './report.ts';
import type { EipObject, EipStatus } from './resource.ts';

/**
 * The merge patch that makes the status say what is known, undefined when it says it already. `lastSyncTime` moves with
 * the rest and never by itself: an idle hour writes nothing.
 */
export function statusPatch(
  object: EipObject,
  observation: Observation,
  report: Report,
  nowMs: number,
): Readonly<Record<string, unknown>> | undefined {
  const before: EipStatus = object.status ?? {};
  const after = {
    ...before,
    ...(observation.kind === 'seen' && toObservedFields(observation)),
    conditions: toConditions(object, report, nowMs),
  };
  const patch = mergePatchBetween(before, after);
  return patch && { ...patch, lastSyncTime: toTimestamp(nowMs) };
}

function toObservedFields({ eip }: Extract<Observation, { kind: 'seen' }>): EipStatus {
  const fields = {
    allocationID: eip.id,
    eipAddress: eip.address,
    status: eip.status,
    isp: eip.isp,
    internetChargeType: eip.internetChargeType,
    instanceChargeType: eip.instanceChargeType,
    bandwidth: eip.bandwidth,
    bandwidthPackageID: eip.packageId,
    resourceGroupID: eip.resourceGroupId,
    name: eip.name,
    publicIPAddressPoolID: eip.poolId,
    description: eip.description,
  };
  // As the original's Go types write it: an empty field is no field.
  const filled = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value || undefined]));
  const types = eip.securityProtectionTypes;
  return { ...filled, securityProtectionTypes: types.length > 0 ? [...types] : undefined };
}

function toConditions(object: EipObject, report: Report, now: number): NonNullable<EipStatus['conditions']> {
  const context = { now, observedGeneration: object.metadata.generation };
  const says: readonly (readonly [type: string, says: ConditionSays | undefined])[] = [
    ['Ready', report.ready],
    ['Synced', report.synced],
    ['Progressing', report.progressing],
  ];
  const conditions = says.reduce<NonNullable<EipStatus['conditions']>>(
    (all, [type, said]) => (said ? [...setCondition(all, { type, ...said }, context)] : all),
    object.status?.conditions ?? [],
  );
  return conditions;
}
