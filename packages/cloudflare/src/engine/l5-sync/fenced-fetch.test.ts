import { createOpenFence, OperatorError } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { createFencedFetch } from './fenced-fetch.ts';

type Init = Parameters<ReturnType<typeof createFencedFetch>>[1];
const init = (method: string, signal = new AbortController().signal): Init => ({
  method,
  headers: {},
  signal,
  redirect: 'manual',
});
const answer = { status: 200, headers: new Headers(), text: async () => '{}' };
const lost = new OperatorError('leader/lost', 'no longer the leader', { kind: 'backoff' });

describe('the fetch of a leader', () => {
  test('lets reads pass, and writes only while it leads', async () => {
    const sent: string[] = [];
    const fetch = createFencedFetch(
      async (_url, { method }) => {
        sent.push(method);
        return answer;
      },
      { guard: async () => Promise.reject(lost) },
    );
    await fetch('http://x', init('GET'));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      await expect(fetch('http://x', init(method))).rejects.toBe(lost);
    }
    expect(sent).toEqual(['GET']);
  });

  test('asks once more in the turn in which it sends', async () => {
    const sent: string[] = [];
    const fetch = createFencedFetch(
      async (_url, { method }) => {
        sent.push(method);
        return answer;
      },
      {
        guard: async (send) =>
          send({
            signal: new AbortController().signal,
            beforeSend: () => {
              throw lost;
            },
          }),
      },
    );
    await expect(fetch('http://x', init('POST'))).rejects.toBe(lost);
    expect(sent).toEqual([]);
  });

  test('drops a write under way when the term ends, and when its caller gives up', async () => {
    const term = new AbortController();
    const caller = new AbortController();
    const fetch = createFencedFetch(
      async (_url, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      createOpenFence(term.signal),
    );
    const one = fetch('http://x', init('POST'));
    const two = fetch('http://x', init('POST', caller.signal));
    caller.abort(new Error('given up'));
    await expect(two).rejects.toThrow('given up');
    term.abort(lost);
    await expect(one).rejects.toBe(lost);
  });
});
