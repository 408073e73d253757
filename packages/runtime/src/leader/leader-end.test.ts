import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../client/transport.ts';
import { createFencedTransport } from './fenced-transport.ts';
import type { Term } from './leader-elector.ts';
import { createOneLeaseWorld, dead, perfect } from './testing/one-lease-world.ts';

const write = { method: 'PATCH', path: '/x', body: '{"data":{"by":"hand","term":"0"}}' };
const read = { method: 'GET', path: '/leases' };

async function untilStopped({ signal }: Term): Promise<void> {
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}

describe('the end of a term', () => {
  test('at the stop the lease is given back', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { stop, end, elector } = boot({ whileLeading: untilStopped });
    await world.advance(2500);
    stop();
    await world.advance(0);
    expect([end(), elector.isLeaderNow()]).toEqual([{}, false]);
    expect(server.lease()?.spec).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: '2026-01-05T12:00:02.500000Z',
      renewTime: '2026-01-05T12:00:02.500000Z',
      leaseTransitions: 0,
    });
  });

  test('the lease is kept at the stop if that is wanted', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { stop, end, elector } = boot({ whileLeading: untilStopped, releaseOnStop: false });
    await world.advance(100);
    stop();
    await world.advance(0);
    expect([end(), server.lease()?.spec?.holderIdentity]).toEqual([{}, elector.identity]);
  });

  test('work that takes its time to stop keeps the lease until it has ended', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const ended = Promise.withResolvers<void>();
    const { stop, end, elector } = boot({ whileLeading: async () => ended.promise });
    await world.advance(100);
    stop();
    await world.advance(60_000);
    expect([elector.isLeaderNow(), server.lease()?.spec?.holderIdentity]).toEqual([true, elector.identity]);
    ended.resolve();
    await world.advance(0);
    expect([end(), server.lease()?.spec?.holderIdentity]).toEqual([{}, '']);
  });

  test('work that ends by itself gives the lease back, and what it threw comes out', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const error = new Error('broken');
    const { end } = boot({ whileLeading: async () => Promise.reject(error) });
    await world.advance(0);
    expect([end(), server.lease()?.spec?.holderIdentity]).toEqual([{ error }, '']);
  });

  test('a stop before the lease was had is no failure', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    network.fate = dead;
    const { stop, end, terms } = boot();
    await world.advance(1000);
    stop();
    await world.advance(0);
    expect([end(), terms, world.pending()]).toEqual([{}, [], 0]);
  });

  test('a lease that cannot be given back is no failure', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    const { stop, end, lines } = boot({ whileLeading: untilStopped });
    await world.advance(100);
    network.fate = dead;
    stop();
    await world.advance(5000);
    expect(end()).toEqual({});
    expect(lines.at(-1)?.message).toBe('could not release the lease; it will expire');
  });

  test('a release whose lease we wrote last without knowing is tried on what is there', async () => {
    const { world, server, network, boot } = createOneLeaseWorld();
    const { stop } = boot({ whileLeading: untilStopped });
    await world.advance(1900);
    network.fate = { ...perfect, lost: 'answer' };
    await world.advance(200);
    network.fate = perfect;
    stop();
    await world.advance(0);
    expect(server.lease()?.spec?.holderIdentity).toBe('');
  });

  test('a loss aborts the work at once', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    let reason: unknown;
    boot({
      whileLeading: async ({ signal }) => {
        await untilStopped({ signal, number: 0 });
        reason = signal.reason;
      },
    });
    await world.advance(100);
    network.fate = dead;
    await world.advance(10_000);
    expect(reason).toMatchObject({ code: 'leader/lost' });
  });
});

describe('the fence', () => {
  function lead() {
    const { world, server, network, boot } = createOneLeaseWorld();
    const replica = boot({ whileLeading: untilStopped });
    const transport = createFencedTransport(replica.process.transport, replica.elector.fence);
    const outcomes: string[] = [];
    const send = (request: HttpRequest = write, signal?: AbortSignal): void =>
      void transport.request({ ...request, signal }).then(
        ({ status }) => outcomes.push(String(status)),
        (error: { code?: string; message: string }) => outcomes.push(error.code ?? error.message),
      );
    return { world, server, network, replica, transport, send, outcomes };
  }

  test('lets the leader write, and anybody read', async () => {
    const { world, send, outcomes, replica } = lead();
    send();
    send(read);
    await world.advance(100);
    send();
    await world.advance(0);
    expect(outcomes).toEqual(['leader/lost', '404', '200']);
    expect(() => replica.elector.fence.check()).not.toThrow();
  });

  test('drops a write that is under way when the term is lost', async () => {
    const { world, network, send, outcomes } = lead();
    await world.advance(100);
    network.fate = dead;
    send();
    await world.advance(9899);
    expect(outcomes).toEqual([]);
    await world.advance(1);
    expect(outcomes).toEqual(['leader/lost']);
  });

  test('refuses a write that waited for its connection longer than the term lasted', async () => {
    const { world, server, network, send, outcomes, replica } = lead();
    await world.advance(100);
    network.fate = { ...perfect, connectMs: 50 };
    send();
    replica.process.freeze();
    await world.advance(12_000);
    replica.process.resume();
    await world.advance(100);
    expect([outcomes, server.effects]).toEqual([['leader/lost'], []]);
  });

  test('still obeys the caller', async () => {
    const { world, network, send, outcomes } = lead();
    await world.advance(100);
    network.fate = dead;
    const abort = new AbortController();
    send(write, abort.signal);
    abort.abort(new Error('changed my mind'));
    send(write, abort.signal);
    await world.advance(0);
    expect(outcomes).toEqual(['changed my mind', 'changed my mind']);
  });

  test('lets no write begin once the work has ended, and waits for those under way', async () => {
    const { world, server, network, send, outcomes, replica } = lead();
    await world.advance(100);
    network.fate = { ...perfect, connectMs: 100, thereMs: 400, backMs: 500 };
    send();
    replica.stop();
    await world.advance(50);
    send();
    await world.advance(940);
    expect([outcomes, replica.end()]).toEqual([['leader/lost'], undefined]);
    network.fate = perfect;
    await world.advance(100);
    expect([outcomes, replica.end(), server.lease()?.spec?.holderIdentity]).toEqual([['leader/lost', '200'], {}, '']);
  });

  test('keeps the lease from being given back while a write may still arrive', async () => {
    const { world, server, network, send, outcomes, replica } = lead();
    await world.advance(100);
    network.fate = { ...perfect, thereMs: 4000 };
    send();
    await world.advance(1);
    network.fate = perfect;
    replica.stop();
    await world.advance(3500);
    expect(outcomes).toEqual(['leader/lost']);
    expect([replica.end(), server.lease()?.spec?.holderIdentity]).toEqual([{}, replica.elector.identity]);
    expect(replica.lines.at(-1)?.message).toBe('a write has no answer yet: the lease is left to expire');
  });
});
