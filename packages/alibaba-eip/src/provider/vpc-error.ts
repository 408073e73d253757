import { OperatorError } from '@tributary/runtime';
import type { Retry } from '@tributary/runtime';
import type { VpcAction } from './vpc-send.ts';

/**
 * What an error means for the one who called:
 * - `done`: what was asked for is so already
 * - `busy`: not now; the same call may succeed later
 * - `throttled`: too many calls; nothing was executed
 * - `terminal`: not before somebody changes something
 * - `auth`: the credential is not accepted or not allowed
 * - `mismatch`: the token was used for other parameters
 * - `unknown`: no answer that says whether it was executed
 */
export type VpcErrorClass = 'done' | 'busy' | 'throttled' | 'terminal' | 'auth' | 'mismatch' | 'unknown';

export type VpcErrorFacts = {
  readonly action: VpcAction;
  readonly class: VpcErrorClass;
  /** The provider's own word, which is what to branch on; empty when there was no answer. */
  readonly vpcCode: string;
  readonly status: number;
  readonly requestId?: string | undefined;
};

/** The provider said no, or said nothing. */
export class VpcError extends OperatorError {
  readonly facts: VpcErrorFacts;

  constructor(code: string, message: string, retry: Retry, facts: VpcErrorFacts, options?: ErrorOptions) {
    super(code, message, retry, options);
    this.name = 'VpcError';
    this.facts = facts;
  }
}

export function isVpcError(error: unknown, ...classes: readonly VpcErrorClass[]): error is VpcError {
  return error instanceof VpcError && (classes.length === 0 || classes.includes(error.facts.class));
}

/** The call was certainly refused: a token that it carried must not be used again. */
export function isDefinitive(error: unknown): boolean {
  return isVpcError(error, 'terminal', 'mismatch') || (isVpcError(error, 'busy') && !keepsToken(error));
}

/** The first call with this token is still under way, or was sent a second time by somebody between us and the API. */
function keepsToken({ facts }: VpcError): boolean {
  const isInDoubt = facts.vpcCode.endsWith('LastTokenProcessing') || facts.vpcCode === 'SignatureNonceUsed';
  return isInDoubt || facts.status >= 500;
}
