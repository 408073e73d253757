import { isCloudflareError } from '@tributary/cloudflare-api';
import type { ErrorClass } from '@tributary/cloudflare-api';
import { isOperatorError, KubeApiError } from '@tributary/runtime';

/** What a condition says about a failure: a reason for programs, a message for people that is the same from try to try. */
export type Failure = { readonly reason: string; readonly message: string };

const reasons: Readonly<Record<ErrorClass, string>> = {
  'not-found': 'NotFound',
  'already-exists': 'AlreadyExists',
  conflict: 'Conflict',
  auth: 'AuthFailed',
  permission: 'PermissionDenied',
  validation: 'ValidationFailed',
  quota: 'QuotaExceeded',
  entitlement: 'NotEntitled',
  'in-use': 'InUse',
  'not-ready': 'NotReady',
  'rate-limited': 'RateLimited',
  transient: 'SyncFailed',
};

/** Undefined: the error says nothing about the remote object, and is none of its status's business. */
export function toFailure(error: unknown): Failure | undefined {
  if (isCloudflareError(error)) return { reason: reasons[error.class], message: error.detail || error.message };
  if (error instanceof KubeApiError) {
    if (error.retry.kind !== 'never') return undefined;
    return { reason: 'StatusNotStored', message: `the API server does not take the status: ${error.message}` };
  }
  if (isOperatorError(error)) {
    if (error.code.startsWith('leader/') || error.code.startsWith('kube/') || error.code.startsWith('controller/'))
      return undefined;
    return { reason: 'SyncFailed', message: error.message };
  }
  // What nobody expected may say anything, secrets included; the log has it.
  return { reason: 'SyncFailed', message: 'an unexpected error; the log of the operator says more' };
}

/** Refused for what it is: not to be tried again as it is. */
export function isFinal(error: unknown): boolean {
  return isCloudflareError(error, 'validation');
}

/** Will pass, and says nothing about the object: a look that failed so is repeated in silence. */
export function isPassing(error: unknown): boolean {
  return isCloudflareError(error, 'transient', 'rate-limited');
}

/** Somebody was there between our look and our write: another look comes before any complaint. */
export function asksForAnotherLook(error: unknown): boolean {
  return isCloudflareError(error, 'already-exists', 'conflict', 'not-found');
}
