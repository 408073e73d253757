import { noResources, largestResources, readResources, sumResources } from './resource-list.ts';
import type { ResourceList, Resources } from './resource-list.ts';
import { parseQuantity, zero } from './quantity.ts';

type Requester = {
  readonly restartPolicy?: string | undefined;
  readonly resources?: { readonly requests?: ResourceList | undefined } | undefined;
};

/** The part of a pod's spec that says what it needs. */
export type RequestingSpec = {
  readonly containers?: readonly Requester[] | undefined;
  readonly initContainers?: readonly Requester[] | undefined;
  readonly overhead?: ResourceList | undefined;
  readonly resources?: { readonly requests?: ResourceList | undefined } | undefined;
};

const onePod: Resources = new Map([['pods', parseQuantity(1) ?? zero]]);

/**
 * What the scheduler sets aside for a pod: containers and sidecars run together, each other init container runs with the
 * sidecars started before it, and the pod needs whichever is more. Requests of the pod as a whole stand before those of its parts.
 */
export function podRequests(spec: RequestingSpec): Resources {
  let sidecars = noResources;
  let starting = noResources;
  for (const container of spec.initContainers ?? []) {
    const requests = readResources(container.resources?.requests);
    if (container.restartPolicy === 'Always') {
      sidecars = sumResources([sidecars, requests]);
      starting = largestResources(starting, sidecars);
    } else {
      starting = largestResources(starting, sumResources([sidecars, requests]));
    }
  }
  const containers = (spec.containers ?? []).map(({ resources }) => readResources(resources?.requests));
  const parts = largestResources(sumResources([sidecars, ...containers]), starting);
  const whole = new Map([...parts, ...readResources(spec.resources?.requests)]);
  return sumResources([whole, readResources(spec.overhead), onePod]);
}
