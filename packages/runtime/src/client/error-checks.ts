import { KubeApiError } from './kube-api-error.ts';

/** Questions to an error, answered by the server's reason. Anything that is no answer of the server is a no. */
type Check = (error: unknown) => error is KubeApiError;

export const isNotFound: Check = hasReason('NotFound');
export const isAlreadyExists: Check = hasReason('AlreadyExists');
export const isConflict: Check = hasReason('Conflict');
export const isInvalid: Check = hasReason('Invalid');
export const isBadRequest: Check = hasReason('BadRequest');
export const isForbidden: Check = hasReason('Forbidden');
export const isUnauthorized: Check = hasReason('Unauthorized');
export const isTooManyRequests: Check = hasReason('TooManyRequests');
export const isTimeout: Check = hasReason('Timeout', 'ServerTimeout');
/** The resourceVersion or continue token is too old: list again. */
export const isGone: Check = hasReason('Gone', 'Expired');
/** The server does not know this content type for this kind: strategic merge on a custom resource. */
export const isUnsupportedMediaType: Check = hasReason('UnsupportedMediaType');

/** Created in a namespace that is being deleted: there is nothing left to do for the creator. */
export function isNamespaceTerminating(error: unknown): error is KubeApiError {
  return isForbidden(error) && hasCause(error, 'NamespaceTerminating');
}

function hasCause(error: KubeApiError, reason: string): boolean {
  return error.body.details?.causes?.some((cause) => cause.reason === reason) ?? false;
}

function hasReason(...reasons: readonly string[]): Check {
  return (error): error is KubeApiError => error instanceof KubeApiError && reasons.includes(error.reason);
}
