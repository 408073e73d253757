import type { EipStep } from './eip-step.ts';
import type { ObservedEip } from './observed-eip.ts';
import type { EipSpec } from './resource.ts';

/** Bandwidth, name, description and resource group; what the spec does not mention is left alone. */
export function planAttributes(spec: EipSpec, eip: ObservedEip): readonly EipStep[] {
  const { id } = eip;
  // Inside a package the package sets the speed, and on the way into one it would be refused.
  const isPackaged = eip.packageId !== '' || Boolean(spec.bandwidthPackageID);
  const changes = {
    ...(!isPackaged && differs(spec.bandwidth, eip.bandwidth) && { bandwidth: spec.bandwidth }),
    ...(differs(spec.name, eip.name) && { name: spec.name }),
    ...(differs(spec.description, eip.description) && { description: spec.description }),
  };
  const steps: EipStep[] = [];
  if (Object.keys(changes).length > 0) steps.push({ do: 'modify', id, changes });
  if (differs(spec.resourceGroupID, eip.resourceGroupId)) {
    steps.push({ do: 'move-resource-group', id, resourceGroupId: spec.resourceGroupID });
  }
  return steps;
}

function differs(wanted: string | undefined, seen: string): wanted is string {
  return wanted !== undefined && wanted !== '' && wanted !== seen;
}
