import { expect, test } from 'vitest';
import { isOperatorError } from '../operator-error.ts';
import { KubeApiError } from './kube-api-error.ts';
import type { WatchEvent } from './kube-client.ts';
import { scriptedClient, widgets } from './testing/scripted-client.ts';
import type { Widget } from './testing/scripted-client.ts';

const line = (type: string, name: string): string => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`;

async function watch(body: string, onEvent?: (event: WatchEvent<Widget>) => void, head = { status: 200 }) {
  const seen: string[] = [];
  const collect = (event: WatchEvent<Widget>): void => {
    seen.push(event.type === 'ERROR' ? `ERROR ${event.object.code}` : `${event.type} ${event.object.metadata.name}`);
  };
  const { kube } = scriptedClient([{ ...head, body: Buffer.from(body) }]);
  const error: unknown = await kube.watch(widgets, {}, onEvent ?? collect).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { seen, error };
}

test('a watch hands on its events in order, errors of the server among them, and resolves at the end', async () => {
  const failure = '{"type":"ERROR","object":{"kind":"Status","code":410}}\n';
  const { seen, error } = await watch(
    `${line('ADDED', 'a')}\n${line('MODIFIED', 'b')}${line('BOOKMARK', '')}${failure}`,
  );
  expect(seen).toEqual(['ADDED a', 'MODIFIED b', 'BOOKMARK ', 'ERROR 410']);
  expect(error).toBe(undefined);
});

const garbage: readonly (readonly [string, string])[] = [
  ['text', 'hunter2\n'],
  ['half an event at the end', '{"type":"ADDED","object":{"metadata"'],
  ['null', 'null\n'],
  ['an event without an object', '{"type":"ADDED"}\n'],
  ['an event without a type', '{"object":{}}\n'],
  ['an event about nothing', '{"type":"ADDED","object":null}\n'],
];

for (const [name, text] of garbage) {
  test(`a watch that sends ${name} ends with kube/bad-watch-line after the events before it`, async () => {
    const { seen, error } = await watch(`${line('ADDED', 'a')}${text}`);
    expect(seen).toEqual(['ADDED a']);
    expect(isOperatorError(error) && error.code).toBe('kube/bad-watch-line');
    expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toContain('hunter2');
  });
}

test('an error thrown by the listener ends the watch with that very error', async () => {
  const mine = new Error('a bug of mine');
  const { error } = await watch(line('ADDED', 'a'), () => {
    throw mine;
  });
  expect(error).toBe(mine);
});

test('a watch that the server refuses is a KubeApiError, and its body is no event', async () => {
  const body = JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
  const { seen, error } = await watch(body, undefined, { status: 410 });
  expect(seen).toEqual([]);
  expect(error).toBeInstanceOf(KubeApiError);
  expect((error as Error).message).toBe('WATCH /apis/example.org/v1/widgets: too old (HTTP 410, Expired)');
});

test('a watch passes its limit of silence to the transport', async () => {
  const { kube, requests } = scriptedClient([{ body: Buffer.from('') }]);
  await kube.watch(widgets, { idleTimeoutMs: 1234 }, () => undefined);
  await kube.watch(widgets, {}, () => undefined);
  expect(requests.map(({ bodyTimeoutMs }) => bodyTimeoutMs)).toEqual([1234, undefined]);
});
