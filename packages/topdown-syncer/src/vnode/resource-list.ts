import { addQuantities, formatQuantity, largerQuantity, parseQuantity, subtractQuantity, zero } from './quantity.ts';
import type { Quantity } from './quantity.ts';

/** As objects hold it: `{ cpu: '4', memory: '16Gi', pods: 110 }`. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** The same, ready to be counted with. */
export type Resources = ReadonlyMap<string, Quantity>;

export const noResources: Resources = new Map();

/** What is no quantity counts as nothing. */
export function readResources(list: ResourceList | undefined): Resources {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text) ?? zero]));
}

export function writeResources(resources: Resources): Readonly<Record<string, string>> {
  return Object.fromEntries([...resources].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

export function sumResources(all: Iterable<Resources>): Resources {
  const sum = new Map<string, Quantity>();
  for (const resources of all) {
    for (const [name, quantity] of resources) sum.set(name, addQuantities(sum.get(name) ?? zero, quantity));
  }
  return sum;
}

/** Of each resource the larger amount. */
export function largestResources(left: Resources, right: Resources): Resources {
  const largest = new Map(left);
  for (const [name, quantity] of right) largest.set(name, largerQuantity(largest.get(name) ?? zero, quantity));
  return largest;
}

/** What is left of `from`; resources that it does not have stay unknown. */
export function subtractResources(from: Resources, taken: Resources): Resources {
  return new Map([...from].map(([name, quantity]) => [name, subtractQuantity(quantity, taken.get(name) ?? zero)]));
}

/** By value: `1` and `1000m` are the same. */
export function isSameResources(left: ResourceList | undefined, right: ResourceList | undefined): boolean {
  const [one, other] = [readResources(left), readResources(right)];
  return one.size === other.size && [...one].every(([name, { nanos }]) => other.get(name)?.nanos === nanos);
}
