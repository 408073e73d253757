import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { OperatorError, isOperatorError } from '../operator-error.ts';
import { createKubeClient } from './create-kube-client.ts';
import { isNotFound } from './error-checks.ts';
import {
  ref,
  scriptedClient,
  scriptedTransport,
  statusAnswer,
  widgets,
  widgetsPath,
} from './testing/scripted-client.ts';
import type { Transport } from './transport.ts';

test('an answer of the server that says no is a KubeApiError that names the call without its query', async () => {
  const { kube } = scriptedClient([statusAnswer(404, 'NotFound')]);
  const error: unknown = await kube.list(widgets, { limit: 5 }).catch((error: unknown) => error);
  expect(isNotFound(error) && error.message).toBe('GET /apis/example.org/v1/widgets: no (HTTP 404, NotFound)');
});

test('no answer is kube/unreachable with the cause', async () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const error: unknown = await scriptedClient([cause])
    .kube.get(widgets, ref)
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'kube/unreachable', retry: { kind: 'backoff' }, cause });
  expect((error as Error).message).toContain('connect ECONNREFUSED 127.0.0.1:1');
});

test('a host with several addresses names what each of them said', async () => {
  const cause = new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')], '');
  await expect(scriptedClient([cause]).kube.get(widgets, ref)).rejects.toThrow('connect ::1; connect 127.0.0.1');
});

test('an error that already has a code passes as it is', async () => {
  const cause = new OperatorError('kubeconfig/exec-failed', 'no', { kind: 'backoff' });
  await expect(scriptedClient([cause]).kube.get(widgets, ref)).rejects.toBe(cause);
});

test('an answer that is no JSON is kube/bad-answer, and its text is not shown', async () => {
  const { kube } = scriptedClient([{ body: Buffer.from('hunter2') }]);
  const error: unknown = await kube.get(widgets, ref).catch((error: unknown) => error);
  expect(isOperatorError(error) && error.code).toBe('kube/bad-answer');
  expect(String((error as Error).stack)).not.toContain('hunter2');
});

test('when the caller gives up, the call rejects with the reason of the signal', async () => {
  const reason = new Error('shutting down');
  const signal = AbortSignal.abort(reason);
  await expect(scriptedClient([{}]).kube.get(widgets, ref, { signal })).rejects.toBe(reason);
  await expect(scriptedClient([{}]).kube.get(widgets, ref, { signal, timeoutMs: 5 })).rejects.toBe(reason);
  await expect(scriptedClient([{}]).kube.watch(widgets, { signal }, () => undefined)).rejects.toBe(reason);
});

/** Answers only when the signal is aborted, as a silent server. */
const silent: Transport = {
  request: async ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut off')))),
  stream: async () => undefined,
  close: async () => undefined,
};

test('a call that takes longer than it may is kube/unreachable, and its timer is gone afterwards', async () => {
  const clock = createSimulatedClock();
  const kube = createKubeClient({ transport: silent }, { clock });
  const call = kube.get(widgets, ref, { timeoutMs: 1000 }).catch((error: unknown) => error);
  await clock.advance(1000);
  expect(await call).toMatchObject({ code: 'kube/unreachable', message: `GET ${widgetsPath}/w: no answer in 1000 ms` });
  const quick = createKubeClient({ transport: scriptedTransport([{}]).transport }, { clock });
  await quick.get(widgets, ref, { timeoutMs: 1000 });
  expect(clock.pending()).toBe(0);
});

test('a call with a time limit still ends when the caller gives up', async () => {
  const controller = new AbortController();
  const clock = createSimulatedClock();
  const kube = createKubeClient({ transport: silent }, { clock });
  const call = kube.get(widgets, ref, { timeoutMs: 1000, signal: controller.signal }).catch((error: unknown) => error);
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await call).toBe(reason);
  expect(clock.pending()).toBe(0);
});

test('a call with a time limit leaves nothing behind on a signal that outlives it', async () => {
  const { signal } = new AbortController();
  await scriptedClient([{}]).kube.get(widgets, ref, { signal, timeoutMs: 1000 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
