import type { Clock } from '@tributary/runtime';
import { judgeAnswer } from '../errors/judge-answer.ts';
import { toLostAnswer } from '../errors/lost-answer.ts';
import { createSanitise, secretsInBody } from '../errors/sanitise.ts';
import type { Answer, Layer } from './call.ts';

const noHeaders = { get: () => null };

/**
 * Says of every answer whether it is a failure, and makes one of an answer that never came. What is below may throw;
 * above, a failure is part of the answer, so that layers can look at it. Only an aborted call is thrown.
 */
export function withJudgement(
  { secrets }: { readonly secrets: readonly string[] },
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): Layer {
  return (next) => async (call) => {
    let answer: Answer;
    try {
      answer = await next(call);
    } catch (error) {
      for (const { aborted, reason } of call.signals) if (aborted) throw reason;
      return { status: 0, headers: noHeaders, text: '', json: undefined, failure: toLostAnswer(call, error) };
    }
    const carried = typeof call.body === 'string' ? secretsInBody(call.body) : [];
    const sanitise = createSanitise([...secrets, ...carried]);
    const failure = judgeAnswer(call, answer, { sanitise, nowMs: clock.now() });
    return failure ? { ...answer, failure } : answer;
  };
}
