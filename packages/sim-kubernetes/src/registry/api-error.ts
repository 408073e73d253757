import type { FieldError } from './field-error.ts';

export type StatusCause = { readonly reason?: string; readonly message?: string; readonly field?: string };

export type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

/** The `Status` object that errors, deletions and ERROR events carry. */
export type StatusBody = {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
};

/** What the server says no with. Texts are those of kube-apiserver, for clients print them and tests compare them. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** Set on an expired list: a token to go on with, from the newest state. */
  readonly continueToken: string | undefined;

  constructor(
    status: number,
    reason: string,
    message: string,
    extra: { readonly details?: StatusDetails; readonly continueToken?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.details = extra.details;
    this.continueToken = extra.continueToken;
  }

  toStatus(): StatusBody {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.status,
    };
  }
}

/** A resource or a kind with its group: `deployments` in `apps` prints as `deployments.apps`. */
export type Named = { readonly group: string; readonly plural: string };

export function qualified(group: string, word: string): string {
  return group === '' ? word : `${word}.${group}`;
}

function detailsOf(resource: Named, name: string, more: StatusDetails = {}): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.plural === '' ? {} : { kind: resource.plural }),
    ...more,
  };
}

const quote = (text: string): string => JSON.stringify(text);
const title = (resource: Named, name: string): string => `${qualified(resource.group, resource.plural)} ${quote(name)}`;

export function notFound(resource: Named, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${title(resource, name)} not found`, { details: detailsOf(resource, name) });
}

/** No such path: what the server says when neither group, version nor resource is known. */
export function pathNotFound(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
}

export function alreadyExists(resource: Named, name: string): ApiError {
  const message = `${title(resource, name)} already exists`;
  return new ApiError(409, 'AlreadyExists', message, { details: detailsOf(resource, name) });
}

export function generateNameConflict(resource: Named, name: string, retryAfterSeconds: number): ApiError {
  const message = `${title(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return new ApiError(409, 'AlreadyExists', message, { details: detailsOf(resource, name, { retryAfterSeconds }) });
}

export function conflict(resource: Named, name: string, cause: string): ApiError {
  const message = `Operation cannot be fulfilled on ${title(resource, name)}: ${cause}`;
  return new ApiError(409, 'Conflict', message, { details: detailsOf(resource, name) });
}

/** The optimistic lock failed. */
export function modified(resource: Named, name: string): ApiError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

/** Server-side apply met fields of other managers. */
export function applyConflict(causes: readonly StatusCause[], message: string): ApiError {
  return new ApiError(409, 'Conflict', message, { details: { causes } });
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(resource: Named, name: string, cause: string, causes?: readonly StatusCause[]): ApiError {
  const word = qualified(resource.group, resource.plural);
  const subject = word === '' ? 'forbidden' : `${name === '' ? word : title(resource, name)} is forbidden`;
  const details = detailsOf(resource, name, causes === undefined ? {} : { causes });
  return new ApiError(403, 'Forbidden', `${subject}: ${cause}`, { details });
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

/** `kind` is the kind, not the resource: `Deployment.apps "x" is invalid: spec.replicas: Invalid value ...`. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const list = lines.length > 1 ? `[${lines.join(', ')}]` : (lines[0] ?? '');
  const message = `${qualified(kind.group, kind.kind)} ${quote(name)} is invalid${list === '' ? '' : `: ${list}`}`;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const details = detailsOf({ group: kind.group, plural: kind.kind }, name, causes.length > 0 ? { causes } : {});
  return new ApiError(422, 'Invalid', message, { details });
}

export function methodNotAllowed(resource?: Named, action?: string): ApiError {
  if (resource === undefined || action === undefined) {
    return new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
      details: {},
    });
  }
  const message = `${action} is not supported on resources of kind ${quote(qualified(resource.group, resource.plural))}`;
  return new ApiError(405, 'MethodNotAllowed', message, { details: detailsOf(resource, '') });
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

export function notAcceptable(accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new ApiError(406, 'NotAcceptable', message);
}

export function requestTooLarge(message: string): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** 410: the revision that was asked for is compacted. */
export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, continueToken === undefined ? {} : { continueToken });
}

export function tooOldResourceVersion(asked: number, oldest: number): ApiError {
  return expired(`too old resource version: ${asked} (${oldest})`);
}

export function timeout(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: ${message}`, {
    details: retryAfterSeconds === 0 ? {} : { retryAfterSeconds },
  });
}

/** The caller knows a revision that this server has not reached. */
export function tooLargeResourceVersion(asked: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiError(504, 'Timeout', message, { details: { causes, retryAfterSeconds: 1 } });
}

/** The store refuses an object for its size, in the words of etcd and of its client. */
export function storeTooLarge(bytes: number): ApiError {
  const sendLimit = 2 * 1024 * 1024;
  if (bytes <= sendLimit) return new ApiError(500, '', 'etcdserver: request is too large');
  const text = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${sendLimit})`;
  return new ApiError(500, '', text);
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(429, 'TooManyRequests', message, { details: { retryAfterSeconds } });
}

export function serviceUnavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}

export function internalError(message: string): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });
}

/** The whole error when the store itself would fail with a transient fault. */
export function serverTimeout(resource: Named, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${qualified(resource.group, resource.plural)} could not be completed at this time, please try again.`;
  return new ApiError(500, 'ServerTimeout', message, {
    details: detailsOf(resource, operation, { retryAfterSeconds }),
  });
}

/** What could not be read, without the kind that it was read as. */
export function unreadPart({ message }: ApiError): string {
  return message.replace(/^.*? cannot be handled as a [^:]*: /s, '');
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}
