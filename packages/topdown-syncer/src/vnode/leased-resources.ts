import { parseQuantity, shareOf, smallerQuantity } from './quantity.ts';
import type { Quantity } from './quantity.ts';
import { readResources, subtractResources } from './resource-list.ts';
import type { ResourceList, Resources } from './resource-list.ts';

export type ResourceLimit = {
  readonly resource: string;
  readonly quantity?: string | number | undefined;
  readonly percent?: number | undefined;
};

export type OfferedStatus = {
  readonly allocatable?: ResourceList | undefined;
  readonly capacity?: ResourceList | undefined;
};

/** What a node has to offer at all. */
export function nodeOffer({ allocatable, capacity }: OfferedStatus): Resources {
  return readResources(allocatable && Object.keys(allocatable).length > 0 ? allocatable : capacity);
}

/** What a policy lends of a node: what others have not taken, each resource no further than its limits go. */
export function leasedResources(offer: Resources, taken: Resources, limits: readonly ResourceLimit[]): Resources {
  const leased = new Map(subtractResources(offer, taken));
  for (const limit of limits) {
    const left = leased.get(limit.resource);
    if (left) leased.set(limit.resource, limited(left, limit));
  }
  return leased;
}

const nothing = 0n;
const thousandth = 1_000_000n;
const whole = 1_000_000_000n;

function limited(left: Quantity, { resource, quantity, percent = 0 }: ResourceLimit): Quantity {
  const most = quantity === undefined ? undefined : parseQuantity(quantity);
  const byQuantity = most && most.nanos > nothing ? smallerQuantity(left, most) : left;
  // A share of more than all is a mistake; lending nothing is the answer that hurts nobody on the physical side.
  if (percent > 100) return { ...left, nanos: nothing };
  if (percent <= 0) return byQuantity;
  const unit = resource === 'cpu' ? thousandth : whole;
  return smallerQuantity(byQuantity, shareOf(left, Math.floor(percent), unit));
}
