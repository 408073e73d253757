import type { EipStep } from './eip-step.ts';
import { without } from './eip-world.ts';
import type { EipMemory } from './memory.ts';
import type { ObservedEip } from './observed-eip.ts';
import type { EipSpec } from './resource.ts';

/**
 * A package is joined when the spec names it and left when the spec no longer does, but only if it was we who joined:
 * load balancers put addresses into packages too, and must not be fought. The provider does both in its own time, so a
 * move is one step now and the other when the first is seen.
 */
export function planPackage(
  { bandwidthPackageID: wanted = '' }: EipSpec,
  { id, packageId: current }: ObservedEip,
  memory: EipMemory,
): readonly EipStep[] {
  const { packageID: own } = memory;
  if (wanted !== '') {
    if (current === wanted) return [];
    if (current !== '') return [{ do: 'leave-package', id, packageId: current }];
    const note: EipStep[] = own === wanted ? [] : [{ do: 'remember', memory: { ...memory, packageID: wanted } }];
    return [...note, { do: 'join-package', id, packageId: wanted }];
  }
  if (own === undefined) return [];
  if (current === own) return [{ do: 'leave-package', id, packageId: own }];
  return [{ do: 'remember', memory: without(memory, 'packageID') }];
}
