import type { Clock } from '@tributary/runtime/clock';
import { canonicalParams } from './canonical-params.ts';
import type { Outcome } from './outcome.ts';
import type { Params } from './params.ts';
import { invalidParameter, refusal } from './rpc-error.ts';

/** What is to be done with a call that carries a token. */
export type TokenVerdict =
  | { readonly kind: 'fresh'; readonly settle: (outcome: Outcome) => void }
  | { readonly kind: 'replay'; readonly outcome: Outcome };

export type TokenMemory = {
  /** Refuses a token that is in use or was used with other parameters. */
  readonly begin: (scope: string, params: Params) => TokenVerdict | undefined;
  readonly clear: () => void;
};

export type TokenMemoryOptions = { readonly memoryMs: number; readonly replayRefusals: boolean };

type Entry = { readonly startedMs: number; readonly params: string; outcome?: Outcome };

/** The same token brings the same answer and no second effect. A scope is one account and one action. */
export function createTokenMemory(options: TokenMemoryOptions, clock: Pick<Clock, 'monotonic'>): TokenMemory {
  const entries = new Map<string, Entry>();

  const remember = (key: string, params: string): TokenVerdict => {
    const entry: Entry = { startedMs: clock.monotonic(), params };
    entries.set(key, entry);
    const settle = (outcome: Outcome): void => {
      if (outcome.status < 400 || (outcome.status < 500 && options.replayRefusals)) entry.outcome = outcome;
      else entries.delete(key);
    };
    return { kind: 'fresh', settle };
  };

  return {
    begin: (scope, params) => {
      const token = params['ClientToken'];
      if (token === undefined || token === '') return undefined;
      if (!/^[\u0021-\u007e]{1,64}$/.test(token)) throw invalidParameter('ClientToken');
      const key = `${scope} ${token}`;
      const text = canonicalParams(params);
      const entry = entries.get(key);
      if (!entry || entry.startedMs + options.memoryMs <= clock.monotonic()) return remember(key, text);
      if (entry.params !== text) {
        const words = 'The request uses the same client token as a previous, but non-identical request.';
        throw refusal('IdempotentParameterMismatch', words);
      }
      if (!entry.outcome) throw refusal('LastTokenProcessing', 'The last token request is processing.');
      return { kind: 'replay', outcome: entry.outcome };
    },
    clear: () => entries.clear(),
  };
}
