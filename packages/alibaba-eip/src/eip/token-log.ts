import { isDefinitive, isVpcError } from '../provider/vpc-error.ts';
import type { RefusedToken } from './eip-world.ts';

/**
 * What this process knows of the tokens that it sent. It is lost with the process, which is safe: a token that it does
 * not know is sent again, and if it is refused then, it is in doubt.
 */
export type TokenLog = {
  /** Recorded by this process and not sent yet. */
  readonly made: (token: string) => void;
  readonly failed: (uid: string, token: string, error: unknown) => void;
  /** The last token of this object that was refused. */
  readonly refused: (uid: string) => RefusedToken | undefined;
  readonly forget: (uid: string) => void;
};

export function createTokenLog(): TokenLog {
  // Tokens of which every call so far was ours and was answered.
  const clear = new Set<string>();
  const refused = new Map<string, RefusedToken>();
  return {
    made: (token) => void clear.add(token),
    failed: (uid, token, error) => {
      const wasClear = clear.delete(token) && !isVpcError(error, 'mismatch');
      if (isDefinitive(error)) refused.set(uid, { token, inDoubt: !wasClear });
      else if (wasClear && isVpcError(error, 'throttled', 'auth')) clear.add(token);
    },
    refused: (uid) => refused.get(uid),
    forget: (uid) => void refused.delete(uid),
  };
}
