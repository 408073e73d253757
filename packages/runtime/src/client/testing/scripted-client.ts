/** For tests: a client on a transport that answers from a list, with the requests it got to look at. */
import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { defineKind } from '../../kind.ts';
import type { KubeObject } from '../../object.ts';
import { createKubeClient } from '../create-kube-client.ts';
import type { KubeClientOptions } from '../create-kube-client.ts';
import type { KubeClient } from '../kube-client.ts';
import type { HttpRequest, HttpResponse, Transport } from '../transport.ts';

export type Widget = KubeObject & { readonly spec?: { readonly size?: number } };

export const widgets = defineKind<Widget>({
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
export const ref = { namespace: 'a', name: 'w' };
export const widgetsPath = '/apis/example.org/v1/namespaces/a/widgets';

export type ScriptedAnswer = Partial<HttpResponse> | Error | { readonly json: unknown };

/** Answers each request with the next of the given answers, and with the last one for ever. */
export function scriptedTransport(answers: readonly ScriptedAnswer[]): {
  readonly transport: Transport;
  readonly requests: readonly HttpRequest[];
} {
  const requests: HttpRequest[] = [];
  const next = async (request: HttpRequest): Promise<HttpResponse> => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
    requests.push(request);
    request.signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    if ('json' in answer) return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer.json)) };
    return { status: 200, headers: {}, body: Buffer.from('{}'), ...answer };
  };
  const transport: Transport = {
    request: next,
    stream: async (request, handler) => {
      const answer = await next(request);
      handler.onHead(answer);
      handler.onChunk(answer.body);
    },
    close: async () => undefined,
  };
  return { transport, requests };
}

export function scriptedClient(
  answers: readonly ScriptedAnswer[],
  options: Partial<KubeClientOptions> = {},
): { readonly kube: KubeClient; readonly requests: readonly HttpRequest[]; readonly clock: SimulatedClock } {
  const { transport, requests } = scriptedTransport(answers);
  const clock = createSimulatedClock();
  return { kube: createKubeClient({ transport, userAgent: 'test/1', ...options }, { clock }), requests, clock };
}

/** An answer with the body that the API server gives its errors. */
export function statusAnswer(code: number, reason: string, headers: Record<string, string> = {}): HttpResponse {
  const body = Buffer.from(JSON.stringify({ kind: 'Status', code, reason, message: 'no' }));
  return { status: code, headers, body };
}
