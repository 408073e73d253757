import type { Plan, Zone } from './zone.ts';

export type PlanLimits = {
  readonly records: number;
  readonly batchRecords: number;
  readonly commentLength: number;
  readonly tags: number;
  readonly shortestTtl: number;
};

const paid: PlanLimits = { records: 3500, batchRecords: 3500, commentLength: 500, tags: 20, shortestTtl: 60 };

const limits: Readonly<Record<Plan, PlanLimits>> = {
  free: { records: 200, batchRecords: 200, commentLength: 100, tags: 0, shortestTtl: 60 },
  pro: paid,
  business: paid,
  enterprise: { ...paid, shortestTtl: 30 },
};

export function limitsOf(zone: Pick<Zone, 'plan' | 'recordQuota'>): PlanLimits {
  const plan = limits[zone.plan];
  return zone.recordQuota === undefined ? plan : { ...plan, records: zone.recordQuota };
}
