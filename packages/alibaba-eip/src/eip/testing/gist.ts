import type { EipWorld } from '../eip-world.ts';
import { planEip } from '../plan-eip.ts';

/** The names of the steps, or the reason that Ready gives. */
export function gist(world: EipWorld): string {
  const plan = planEip(world);
  if ('report' in plan) return `${plan.report.ready.status}/${plan.report.ready.reason}`;
  return plan.steps.map(({ do: what }) => what).join(' ');
}
