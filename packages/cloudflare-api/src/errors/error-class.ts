import type { Retry } from '@tributary/runtime';

/**
 * What a refusal means for the caller, whatever the product's numbers say.
 *
 * - `not-found`: the API itself said that the object is not there; for a deletion that is success.
 * - `already-exists`: an object with this natural key is there; observe again and adopt or tell.
 * - `conflict`: another object or operation stands in the way.
 * - `auth`: the credential is not accepted. `permission`: it is, but not for this.
 * - `validation`: the request can never succeed as it is.
 * - `quota`: a number of things is used up. `entitlement`: the plan does not have it.
 * - `in-use`: not deletable while something else uses it.
 * - `not-ready`: something it needs (an active zone, an organisation) is not there yet.
 * - `rate-limited` and `transient`: try the same again later.
 */
export type ErrorClass =
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'auth'
  | 'permission'
  | 'validation'
  | 'quota'
  | 'entitlement'
  | 'in-use'
  | 'not-ready'
  | 'rate-limited'
  | 'transient';

const minuteMs = 60_000;

/**
 * How to go on after an error of that class. What a person can mend at Cloudflare without touching the cluster
 * (permissions, plans, quotas) is tried again now and then; what only a changed request mends is not.
 */
export function retryOf(errorClass: Exclude<ErrorClass, 'rate-limited'>): Retry {
  switch (errorClass) {
    case 'validation':
      return { kind: 'never' };
    case 'auth':
    case 'permission':
      return { kind: 'after', ms: 5 * minuteMs };
    case 'quota':
    case 'entitlement':
      return { kind: 'after', ms: 15 * minuteMs };
    case 'not-ready':
      return { kind: 'after', ms: minuteMs };
    case 'not-found':
    case 'already-exists':
    case 'conflict':
    case 'in-use':
    case 'transient':
      return { kind: 'backoff' };
    default:
      return errorClass satisfies never;
  }
}
