import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { KubeApiError } from '../client/kube-api-error.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { Log } from '../log.ts';
import { silentLog } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import type { Retry } from '../operator-error.ts';
import { createEventRecorder } from './event-recorder.ts';
import type { EventRecorderOptions } from './event-recorder.ts';
import type { Event } from './event-writer.ts';

const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const object = { metadata: { name: 'web', namespace: 'shop', uid: 'u-1', resourceVersion: '7' } };
const note = { type: 'Normal', reason: 'Synced', message: 'all is well' } as const;

type Write =
  | { readonly call: 'create'; readonly event: Event }
  | { readonly call: 'patch'; readonly body: unknown; readonly name: string };

function setUp(
  options: Partial<EventRecorderOptions> & { readonly random?: () => number } = {},
  fail: (write: Write, nth: number) => Error | undefined = () => undefined,
) {
  const clock = createSimulatedClock();
  const writes: Write[] = [];
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => void warnings.push(message) };
  const take = (write: Write): void => {
    writes.push(write);
    const error = fail(write, writes.length);
    if (error) throw error;
  };
  const client = {
    create: async (_kind: unknown, event: Event) => Promise.resolve(event).then(() => take({ call: 'create', event })),
    patch: async (_kind: unknown, ref: { name: string }, { body }: { body: unknown }) =>
      Promise.resolve().then(() => take({ call: 'patch', body, name: ref.name })),
  } as unknown as Pick<KubeClient, 'create' | 'patch'>;
  const recorder = createEventRecorder(
    { component: 'tributary', instance: 'pod-1', ...options },
    { client, clock, random: options.random ?? (() => 0.5), log },
  );
  const created = (): readonly Event[] => writes.flatMap((write) => (write.call === 'create' ? [write.event] : []));
  return { recorder, clock, writes, warnings, created };
}

const refusal = (status: number, reason: string, retry: Retry, causes: { reason: string }[] = []): KubeApiError =>
  new KubeApiError('kube/x', reason, retry, { status, reason, body: { details: { causes } } });

describe('an event', () => {
  test('is what kubectl describe shows', async () => {
    const { recorder, created } = setUp();
    recorder.record(kind, object, note);
    await recorder.flush();
    expect(created()).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'web.19b8e07460080000', namespace: 'shop' },
        involvedObject: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: 'web',
          namespace: 'shop',
          uid: 'u-1',
          resourceVersion: '7',
        },
        type: 'Normal',
        reason: 'Synced',
        message: 'all is well',
        count: 1,
        firstTimestamp: '2026-01-05T12:00:00Z',
        lastTimestamp: '2026-01-05T12:00:00Z',
        source: { component: 'tributary', host: 'pod-1' },
        reportingComponent: 'tributary',
        reportingInstance: 'pod-1',
      },
    ]);
  });
  test('of a cluster-wide object goes to the namespace default and names none', async () => {
    const { recorder, created } = setUp();
    recorder.record(kind, { metadata: { name: 'node' } }, note);
    await recorder.flush();
    expect(created()[0]).toMatchObject({ metadata: { namespace: 'default' } });
    expect(created()[0]?.involvedObject).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'node' });
  });
  test('that is told again counts up in the same object', async () => {
    const { recorder, clock, writes } = setUp();
    recorder.record(kind, object, note);
    await recorder.flush();
    await clock.advance(90_000);
    recorder.record(kind, object, note);
    await recorder.flush();
    expect(writes.map(({ call }) => call)).toEqual(['create', 'patch']);
    expect(writes[1]).toEqual({
      call: 'patch',
      name: 'web.19b8e07460080000',
      body: { count: 2, lastTimestamp: '2026-01-05T12:01:30Z', message: 'all is well' },
    });
  });
  test('that is told many times while the server is slow becomes one more write', async () => {
    const { recorder, writes } = setUp();
    for (let nth = 0; nth < 20; nth += 1) recorder.record(kind, object, note);
    await recorder.flush();
    expect(writes).toHaveLength(2);
    expect(writes[1]).toMatchObject({ call: 'patch', body: { count: 20 } });
  });
  test('with another reason, type, message or object is another', async () => {
    const { recorder, created } = setUp();
    recorder.record(kind, object, note);
    recorder.record(kind, object, { ...note, reason: 'Other' });
    recorder.record(kind, object, { ...note, type: 'Warning' });
    recorder.record(kind, object, { ...note, message: 'other' });
    recorder.record(kind, { metadata: { ...object.metadata, uid: 'u-2' } }, note);
    await recorder.flush();
    expect(created()).toHaveLength(5);
  });
  test('has at most 1,024 bytes of message, cut between characters', async () => {
    const { recorder, created } = setUp();
    recorder.record(kind, object, { ...note, message: `a${'😀'.repeat(300)}` });
    await recorder.flush();
    expect(created()[0]?.message).toBe(`a${'😀'.repeat(255)}`);
  });
});

describe('many events of one object', () => {
  test('that differ in their message alone are combined after the tenth', async () => {
    const { recorder, writes, created } = setUp();
    for (let nth = 1; nth <= 13; nth += 1) {
      recorder.record(kind, object, { ...note, message: `try ${nth}` });
      await recorder.flush();
    }
    expect(created().map(({ message }) => message)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `try ${index + 1}`),
      '(combined from similar events): try 11',
    ]);
    expect(writes.at(-1)).toMatchObject({
      call: 'patch',
      body: { count: 3, message: '(combined from similar events): try 13' },
    });
  });
  test('are told apart again after ten quiet minutes', async () => {
    const { recorder, clock, created } = setUp();
    for (let nth = 1; nth <= 11; nth += 1) recorder.record(kind, object, { ...note, message: `try ${nth}` });
    await clock.advance(600_001);
    recorder.record(kind, object, { ...note, message: 'later' });
    await recorder.flush();
    expect(created().at(-1)?.message).toBe('later');
  });
  test('are 25 at once, then one every five minutes', async () => {
    const { recorder, clock, writes } = setUp();
    const tell = async (reason: string): Promise<void> => {
      recorder.record(kind, object, { ...note, reason });
      await recorder.flush();
    };
    for (let nth = 1; nth <= 40; nth += 1) await tell(`R${nth}`);
    expect(writes).toHaveLength(25);
    await clock.advance(299_000);
    await tell('TooEarly');
    expect(writes).toHaveLength(25);
    await clock.advance(1_000);
    await tell('InTime');
    await tell('AgainTooEarly');
    expect(writes).toHaveLength(26);
    await clock.advance(365 * 24 * 3_600_000);
    for (let nth = 1; nth <= 40; nth += 1) await tell(`Y${nth}`);
    expect(writes).toHaveLength(26 + 25);
    recorder.record(kind, { metadata: { name: 'another', namespace: 'shop' } }, note);
    await recorder.flush();
    expect(writes).toHaveLength(26 + 25 + 1);
  });
});

describe('trouble with events', () => {
  const down = new OperatorError('kube/unreachable', 'no answer', { kind: 'backoff' });

  test('an answer that was lost does not make a second event', async () => {
    let calls = 0;
    const random = (): number => (calls += 1) / 64;
    const { recorder, clock, created, warnings } = setUp({ random }, (_write, nth) =>
      nth === 1 ? down : nth === 2 ? refusal(409, 'AlreadyExists', { kind: 'never' }) : undefined,
    );
    recorder.record(kind, object, note);
    await clock.advance(10_000);
    await recorder.flush();
    expect(created().map(({ metadata }) => metadata.name)).toEqual(['web.19b8e07460004000', 'web.19b8e07460004000']);
    expect(warnings).toEqual([]);
  });
  test('an event that has expired is made anew', async () => {
    const { recorder, clock, writes } = setUp({}, ({ call }) =>
      call === 'patch' ? refusal(404, 'NotFound', { kind: 'never' }) : undefined,
    );
    recorder.record(kind, object, note);
    await recorder.flush();
    await clock.advance(5_000);
    recorder.record(kind, object, note);
    await recorder.flush();
    expect(writes.map(({ call }) => call)).toEqual(['create', 'patch', 'create']);
    expect(writes[2]).toMatchObject({ event: { count: 2, metadata: { name: 'web.19b8e07598880000' } } });
  });
  test('a server that is down is tried five times, then the event is given up', async () => {
    const { recorder, clock, writes, warnings } = setUp({}, () => down);
    recorder.record(kind, object, note);
    await clock.runUntilIdle();
    await recorder.flush();
    expect(writes).toHaveLength(5);
    expect(warnings).toEqual(['an event was lost']);
    expect(clock.monotonic()).toBe(40_000);
  });
  for (const [name, error] of [
    ['an event that the server refuses', refusal(422, 'Invalid', { kind: 'never' })],
    [
      'an event in a namespace that ends',
      refusal(403, 'Forbidden', { kind: 'backoff' }, [{ reason: 'NamespaceTerminating' }]),
    ],
  ] as const) {
    test(`${name} is not tried again`, async () => {
      const { recorder, writes, warnings } = setUp({}, () => error);
      recorder.record(kind, object, note);
      await recorder.flush();
      expect([writes.length, warnings]).toEqual([1, ['an event was lost']]);
    });
  }
  test('an event that waits already is counted up even when no more may wait', async () => {
    const { recorder, writes, warnings } = setUp({ maxPending: 1 });
    recorder.record(kind, object, note);
    for (let nth = 1; nth <= 3; nth += 1) recorder.record(kind, object, { ...note, reason: 'Other' });
    await recorder.flush();
    expect(writes[1]).toMatchObject({ call: 'create', event: { reason: 'Other', count: 3 } });
    expect(warnings).toEqual([]);
  });
  test('more than may wait are lost, not kept', async () => {
    const { recorder, clock, writes, warnings } = setUp({ maxPending: 2, maxTries: 1 }, () => down);
    for (let nth = 1; nth <= 5; nth += 1) recorder.record(kind, object, { ...note, reason: `R${nth}` });
    await clock.runUntilIdle();
    await recorder.flush();
    expect(writes).toHaveLength(3);
    expect(warnings.filter((text) => text.startsWith('too many'))).toHaveLength(2);
  });
  test('stop writes what waits, waits no longer for a server that is down, and takes nothing more', async () => {
    const { recorder, clock, writes } = setUp({}, () => down);
    recorder.record(kind, object, note);
    recorder.record(kind, object, { ...note, reason: 'Second' });
    await clock.settle();
    expect(writes).toHaveLength(1);
    await recorder.stop();
    expect(writes).toHaveLength(3);
    recorder.record(kind, object, { ...note, reason: 'Third' });
    await recorder.flush();
    expect(writes).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });
  test('nothing is thrown at the caller, not even for an object without metadata', () => {
    const { recorder, warnings } = setUp();
    recorder.record(kind, {} as never, note);
    expect(warnings).toEqual(['an event could not be recorded']);
  });
});
