import { isOperatorError } from '@tributary/runtime';
import type { Clock, Fence } from '@tributary/runtime';
import { classifyAnswer, noAnswer, toVpcError } from './classify.ts';
import { createPace, defaultLimits } from './pace.ts';
import type { Pace, VpcLimits } from './pace.ts';
import { isVpcError } from './vpc-error.ts';
import type { VpcError } from './vpc-error.ts';
import { isRead } from './vpc-send.ts';
import type { VpcAction, VpcAnswer, VpcApi, VpcParams, VpcSend } from './vpc-send.ts';

export type VpcApiOptions = {
  readonly limits?: Partial<VpcLimits>;
  /** How long to wait for an answer; what is later is an unknown outcome. 30 s when absent. */
  readonly timeoutMs?: number;
};

export type VpcApiDeps = {
  readonly send: VpcSend;
  readonly clock: Clock;
  readonly random: () => number;
  /** What only the leader passes. Reads pass without. */
  readonly fence?: Fence | undefined;
  /** Told of every answer and every silence, with the provider's code (`OK` for a success). */
  readonly onCall?: ((action: VpcAction, code: string, durationMs: number) => void) | undefined;
};

/** How long an action rests when the provider does not say. */
const defaultPauseMs = 5000;

/** Everything between an intention and the wire: turn, fence, time limit, measure, class of the error. */
export function createVpcApi(options: VpcApiOptions, deps: VpcApiDeps): VpcApi {
  const pace = createPace({ ...defaultLimits, ...options.limits }, deps.clock);
  const timeoutMs = options.timeoutMs ?? 30_000;
  return {
    call: async (action, params, signal) => {
      await pace.turn(action, signal);
      const startedAt = deps.clock.monotonic();
      const measure = (code: string): void => deps.onCall?.(action, code, deps.clock.monotonic() - startedAt);
      try {
        const answer = await sendOnce(action, params, { ...deps, timeoutMs, signal });
        const body = judge(action, answer);
        measure('OK');
        return body;
      } catch (error) {
        if (isVpcError(error)) measure(error.facts.vpcCode === '' ? 'NoAnswer' : error.facts.vpcCode);
        if (isVpcError(error, 'throttled')) pauseAfter(pace, error, deps.random);
        throw error;
      }
    },
  };
}

function judge(action: VpcAction, answer: VpcAnswer): VpcAnswer['body'] {
  const errorClass = classifyAnswer(action, answer);
  if (errorClass === undefined || errorClass === 'done') return answer.body;
  throw toVpcError(action, answer, errorClass);
}

/** Spread, so that all who were told to wait do not come back in step. */
function pauseAfter(pace: Pace, { facts, retry }: VpcError, random: () => number): void {
  const ms = retry.kind === 'after' ? retry.ms : defaultPauseMs;
  pace.pause(facts.action, ms * (1 + 0.2 * random()));
}

type Sending = VpcApiDeps & { readonly timeoutMs: number; readonly signal: AbortSignal | undefined };

async function sendOnce(action: VpcAction, params: VpcParams, sending: Sending): Promise<VpcAnswer> {
  const { fence } = sending;
  if (!fence || isRead(action)) return sendInTime(action, params, sending);
  return fence.guard(async (passage) => {
    passage.beforeSend();
    return sendInTime(action, params, sending);
  });
}

/**
 * The SDK cannot be told to stop, so a call that is given up goes on by itself: its outcome is unknown, never "no".
 * For the same reason the stop of the process does not cut a write short.
 */
async function sendInTime(
  action: VpcAction,
  params: VpcParams,
  { send, clock, timeoutMs, signal }: Sending,
): Promise<VpcAnswer> {
  signal?.throwIfAborted();
  const limit = Promise.withResolvers<never>();
  const cancel = clock.after(timeoutMs, () => limit.reject(new Error(`no answer in ${timeoutMs} ms`)));
  try {
    return await Promise.race([send(action, params, isRead(action) ? signal : undefined), limit.promise]);
  } catch (error) {
    // Who has no credential has sent nothing, and who was stopped has given up a read.
    if (isOperatorError(error) || (signal?.aborted && error === signal.reason)) throw error;
    throw noAnswer(action, error);
  } finally {
    cancel();
  }
}
