import { createKubeClient } from '@tributary/runtime';
import type { HttpRequest, Transport } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { ownAnnotations } from '../contract/keys.ts';
import type { Pod } from '../contract/pod.ts';
import { pushChanges } from './push-changes.ts';

const pod: Pod = { metadata: { namespace: 'mount', name: 'web', uid: 'u' }, spec: { containers: [] } };
const told = { [ownAnnotations.expectedSpec]: 'hash' };
const labels = { a: 'b' };
const resize = { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] };
const signal = new AbortController().signal;

type Sent = { readonly path: string; readonly body: Record<string, unknown> };
type Answer = { readonly status: number; readonly reason: string };
const refused = { status: 422, reason: 'Invalid' };
const forbidden = { status: 403, reason: 'Forbidden' };

/** P says no where `answer` does. */
function physical(answer: (sent: Sent) => Answer | undefined) {
  const sent: Sent[] = [];
  const request = async ({ path, body }: HttpRequest) => {
    const one = { path: path.split('?')[0] ?? '', body: JSON.parse(String(body)) as Record<string, unknown> };
    sent.push(one);
    const no = answer(one);
    const text = JSON.stringify(
      no ? { kind: 'Status', code: no.status, message: no.reason, ...no, status: 'Failure' } : pod,
    );
    return { status: no?.status ?? 200, headers: {}, body: Buffer.from(text) };
  };
  const transport = { request } as unknown as Transport;
  return { sent, client: createKubeClient({ transport }) };
}

const path = '/api/v1/namespaces/mount/pods/web';

test('all that P takes is told at once, and it is said that it was told', async () => {
  const { sent, client } = physical(() => undefined);
  const patch = { metadata: { labels, annotations: told }, spec: { activeDeadlineSeconds: 9 } };
  expect(await pushChanges(pod, { patch, resize }, { client, signal })).toEqual({ messages: [], mayPass: false });
  expect(sent).toEqual([
    { path: `${path}/resize`, body: { metadata: { uid: 'u' }, spec: resize } },
    { path, body: { metadata: { uid: 'u', labels, annotations: told }, spec: { activeDeadlineSeconds: 9 } } },
  ]);
});

test('a resize that is invalid keeps labels from nothing, and is not tried again', async () => {
  const { sent, client } = physical((one) => (one.path.endsWith('/resize') ? refused : undefined));
  const patch = { metadata: { labels, annotations: told } };
  const { messages, mayPass } = await pushChanges(pod, { patch, resize }, { client, signal });
  expect([messages.length, mayPass]).toEqual([1, false]);
  expect(sent.at(-1)).toEqual({ path, body: { metadata: { uid: 'u', labels, annotations: told } } });
});

test('one that a quota forbids does not count as told: it is tried again', async () => {
  const { sent, client } = physical((one) => (one.path.endsWith('/resize') ? forbidden : undefined));
  const patch = { metadata: { labels, annotations: told } };
  const { messages, mayPass } = await pushChanges(pod, { patch, resize }, { client, signal });
  expect([messages.length, mayPass]).toEqual([1, true]);
  expect(sent.at(-1)).toEqual({ path, body: { metadata: { uid: 'u', labels, annotations: {} } } });
});

test('a part of the spec that is refused keeps labels from nothing', async () => {
  const { sent, client } = physical((one) => ('spec' in one.body ? refused : undefined));
  const patch = { metadata: { labels, annotations: told }, spec: { activeDeadlineSeconds: 99 } };
  expect((await pushChanges(pod, { patch }, { client, signal })).messages).toHaveLength(1);
  expect(sent.at(-1)).toEqual({ path, body: { metadata: { uid: 'u', labels, annotations: told } } });
});

test('labels that are refused are refused once', async () => {
  const { sent, client } = physical(() => refused);
  expect((await pushChanges(pod, { patch: { metadata: { labels } } }, { client, signal })).messages).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

test('what the world did wrong is thrown, to be tried again', async () => {
  const { client } = physical(() => ({ status: 409, reason: 'Conflict' }));
  await expect(pushChanges(pod, { patch: { metadata: { labels } } }, { client, signal })).rejects.toThrow('Conflict');
});
