import { expect, test } from 'vitest';
import type { HttpRequest, Transport } from '../client/transport.ts';
import { createOpenFence } from './fence.ts';
import type { Fence } from './fence.ts';
import { createFencedTransport } from './fenced-transport.ts';
import { leadershipLost } from './leader-term.ts';

const handler = { onHead: () => undefined, onChunk: () => undefined };
const closedFence: Fence = {
  check: () => {
    throw leadershipLost('n/l', 'test');
  },
  guard: async () => Promise.reject(leadershipLost('n/l', 'test')),
};

function createRecordingTransport() {
  const sent: HttpRequest[] = [];
  const transport: Transport = {
    request: async (request) => (sent.push(request), { status: 200, headers: {}, body: Buffer.from('') }),
    stream: async (request) => void sent.push(request),
    close: async () => undefined,
  };
  return { transport, methods: () => sent.map(({ method }) => method), sent };
}

test('streams that write need the fence too; those that read do not', async () => {
  const { transport, methods } = createRecordingTransport();
  const fenced = createFencedTransport(transport, closedFence);
  await fenced.stream({ method: 'GET', path: '/watch' }, handler);
  await expect(fenced.stream({ method: 'POST', path: '/x' }, handler)).rejects.toMatchObject({ code: 'leader/lost' });
  expect(methods()).toEqual(['GET']);
});

test('without rivals everybody passes, and the end of the process ends what is under way', async () => {
  const { transport, sent, methods } = createRecordingTransport();
  const end = new AbortController();
  const fence = createOpenFence(end.signal);
  fence.check();
  let asked = 0;
  const fenced = createFencedTransport(transport, fence);
  await fenced.request({ method: 'PUT', path: '/x', beforeSend: () => (asked += 1) });
  await fenced.stream({ method: 'POST', path: '/x' }, handler);
  expect(methods()).toEqual(['PUT', 'POST']);
  sent[0]?.beforeSend?.();
  expect(asked).toBe(1);
});
