import { OperatorError } from '@tributary/runtime';
import type { Retry } from '@tributary/runtime';
import type { ApiMessage } from './envelope.ts';
import type { ErrorClass } from './error-class.ts';
import type { Family } from './family.ts';

/**
 * Whether a failed call can have changed anything at Cloudflare. `unknown` is a write whose answer was lost or came
 * from a broken server: look before doing it again.
 */
export type Effect = 'none' | 'unknown';

export type CloudflareErrorFields = {
  readonly class: ErrorClass;
  readonly retry: Retry;
  readonly family: Family;
  readonly method: string;
  readonly path: string;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Cloudflare's number for the error, which means something only together with the family. */
  readonly apiCode: number | undefined;
  /** What the API said, made safe, with the causes it gave. */
  readonly messages: readonly ApiMessage[];
  /** What the API said as one text, for a condition. It does not change from try to try. */
  readonly detail: string;
  /** The part of the request that the API pointed at. */
  readonly pointer: string | undefined;
  /** Cloudflare's id of the request, for its support. Not in the message: that must not change from try to try. */
  readonly requestId: string | undefined;
  readonly effect: Effect;
};

/** Every failure of a call. `code` is `cloudflare/<class>`. */
export class CloudflareError extends OperatorError {
  readonly class: ErrorClass;
  readonly family: Family;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly apiCode: number | undefined;
  readonly messages: readonly ApiMessage[];
  readonly detail: string;
  readonly pointer: string | undefined;
  readonly requestId: string | undefined;
  readonly effect: Effect;

  constructor(fields: CloudflareErrorFields, options?: ErrorOptions) {
    const { method, path, status, detail } = fields;
    const outcome = status === 0 ? '' : ` was answered ${status}`;
    super(`cloudflare/${fields.class}`, `${method} ${path}${outcome}: ${detail}`, fields.retry, options);
    this.name = 'CloudflareError';
    this.class = fields.class;
    this.family = fields.family;
    this.method = method;
    this.path = path;
    this.status = status;
    this.apiCode = fields.apiCode;
    this.messages = fields.messages;
    this.detail = detail;
    this.pointer = fields.pointer;
    this.requestId = fields.requestId;
    this.effect = fields.effect;
  }
}

/** Whether it is an error of ours, and, when classes are named, of one of them. */
export function isCloudflareError(error: unknown, ...classes: readonly ErrorClass[]): error is CloudflareError {
  return error instanceof CloudflareError && (classes.length === 0 || classes.includes(error.class));
}
