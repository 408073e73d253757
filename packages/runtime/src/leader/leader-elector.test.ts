import { describe, expect, test } from 'vitest';
import { createFencedTransport } from './fenced-transport.ts';
import type { Lease } from './lease.ts';
import { createOneLeaseWorld, dead, perfect } from './testing/one-lease-world.ts';

const write = { method: 'PATCH', path: '/x', body: '{"data":{"by":"hand","term":"0"}}' };
const foreign = (spec: Lease['spec']): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'kube-system', name: 'operator' },
  ...(spec && { spec }),
});

describe('acquiring', () => {
  test('a lease that does not exist is made', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { elector, terms } = boot();
    await world.advance(0);
    expect(elector.isLeaderNow()).toBe(true);
    expect(terms).toEqual([0]);
    expect(server.lease()).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'kube-system', name: 'operator', resourceVersion: '1' },
      spec: {
        holderIdentity: 'replica_001000000000',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-05T12:00:00.000000Z',
        renewTime: '2026-01-05T12:00:00.000000Z',
        leaseTransitions: 0,
      },
    });
  });

  const held = [
    {
      name: 'a lease with an old date is held until it stood still before our eyes',
      renewTime: '1999-01-01T00:00:00.000000Z',
    },
    { name: 'a lease with a date to come is not held longer', renewTime: '2099-01-01T00:00:00.000000Z' },
  ];
  test.each(held)('$name', async ({ renewTime }) => {
    const { world, server, boot } = createOneLeaseWorld();
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime, leaseTransitions: 6 }));
    const { elector, terms } = boot();
    await world.advance(14_999);
    expect([elector.isLeaderNow(), elector.holder()]).toEqual([false, 'other']);
    await world.advance(20);
    expect([elector.isLeaderNow(), elector.holder()]).toEqual([true, elector.identity]);
    expect(terms).toEqual([7]);
  });

  test('the duration that the holder promised counts, not our own', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 40 }));
    const { elector } = boot();
    await world.advance(39_900);
    expect(elector.isLeaderNow()).toBe(false);
    await world.advance(200);
    expect(elector.isLeaderNow()).toBe(true);
  });

  test('every change of the lease starts the wait anew', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { elector } = boot({ lease: { namespace: 'kube-system', name: 'operator' } });
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: 'a' }));
    await world.advance(14_000);
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: 'b' }));
    await world.advance(14_900);
    expect(elector.isLeaderNow()).toBe(false);
  });

  test('a lease that was given back is taken at the next look', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    server.put(foreign({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 3 }));
    const { terms } = boot();
    await world.advance(0);
    expect(terms).toEqual([4]);
  });

  test('a candidate that saw a lease deleted waits as if it stood still, and goes on counting terms', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 8 }));
    const { elector, terms } = boot();
    await world.advance(5000);
    server.put(undefined);
    await world.advance(9900);
    expect(elector.isLeaderNow()).toBe(false);
    await world.advance(200);
    expect(terms).toEqual([9]);
  });

  test('an answer that was lost does not cost the lease', async () => {
    const { world, server, network, boot } = createOneLeaseWorld();
    server.put(foreign({ holderIdentity: '', leaseTransitions: 3 }));
    network.fate = { ...perfect, thereMs: 10 };
    const { terms, elector } = boot();
    await world.advance(20);
    network.fate = { ...perfect, lost: 'answer' };
    await world.advance(1000);
    network.fate = perfect;
    await world.advance(6000);
    expect([elector.isLeaderNow(), server.lease()?.spec?.holderIdentity]).toEqual([true, elector.identity]);
    expect(terms.length).toBe(1);
  });

  test('an answer that a frozen process finds when it resumes is no basis for a term', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    network.fate = { ...perfect, backMs: 100 };
    const { process, terms, elector } = boot({ retryPeriodMs: 7000 });
    await world.advance(150);
    process.freeze();
    await world.advance(11_000);
    process.resume();
    await world.advance(50);
    expect([terms, elector.isLeaderNow()]).toEqual([[], false]);
  });

  test.each([
    { leaseDurationMs: 10_000, renewDeadlineMs: 10_000 },
    { renewDeadlineMs: 2400, retryPeriodMs: 2000 },
    { leaseDurationMs: 900, renewDeadlineMs: 500, retryPeriodMs: 100 },
  ])('times that leave no margin are refused: %o', (times) => {
    expect(() => createOneLeaseWorld().boot(times)).toThrow('must be');
  });
});

describe('leading', () => {
  test('the lease is renewed every two seconds and stays the same term', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    boot();
    await world.advance(6001);
    expect(server.lease()).toMatchObject({
      metadata: { resourceVersion: '4' },
      spec: {
        acquireTime: '2026-01-05T12:00:00.000000Z',
        renewTime: '2026-01-05T12:00:06.000000Z',
        leaseTransitions: 0,
      },
    });
  });

  test('without renewal the term ends ten seconds after the last request that succeeded was sent', async () => {
    const { world, server, network, boot } = createOneLeaseWorld();
    network.fate = { ...perfect, backMs: 1000 };
    const { elector, lost, end } = boot();
    await world.advance(5500);
    const sentAt = Date.parse(server.lease()?.spec?.renewTime ?? '') - (world.now() - world.monotonic());
    network.fate = dead;
    await world.advance(sentAt + 9999 - world.monotonic());
    expect([elector.isLeaderNow(), lost]).toEqual([true, []]);
    await world.advance(1);
    expect(elector.isLeaderNow()).toBe(false);
    expect(lost).toEqual(['this process does not lead by lease kube-system/operator: not renewed for 10000 ms']);
    await world.advance(1000);
    expect(end()).toMatchObject({ error: { code: 'leader/lost' } });
  });

  test('the first ten seconds count from when the lease was asked for, not from when it was given', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    network.fate = { ...perfect, backMs: 3000 };
    const { elector, terms } = boot();
    await world.runUntil(() => terms.length > 0);
    network.fate = dead;
    await world.advance(6999);
    expect(elector.isLeaderNow()).toBe(true);
    await world.advance(1);
    expect(elector.isLeaderNow()).toBe(false);
  });

  test('an answer to a renewal that was read after the deadline does not bring the term back', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    const { process, elector } = boot({ renewDeadlineMs: 10_000, retryPeriodMs: 8000 });
    await world.advance(7999);
    network.fate = { ...perfect, backMs: 100 };
    await world.advance(50);
    process.freeze();
    await world.advance(4000);
    process.resume();
    await world.advance(1);
    expect(elector.isLeaderNow()).toBe(false);
  });

  test('an outage of half the deadline costs nothing', async () => {
    const { world, network, boot } = createOneLeaseWorld();
    const { elector } = boot();
    for (let round = 0; round < 10; round += 1) {
      network.fate = dead;
      await world.advance(5000);
      network.fate = perfect;
      await world.advance(4000);
    }
    expect(elector.isLeaderNow()).toBe(true);
  });

  test('whoever finds another holder in the lease ends at once', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { elector, lost } = boot();
    await world.advance(100);
    server.put(foreign({ holderIdentity: 'other', leaseDurationSeconds: 15 }));
    await world.advance(2000);
    expect([elector.isLeaderNow(), elector.holder()]).toEqual([false, 'other']);
    expect(lost).toEqual(['this process does not lead by lease kube-system/operator: other holds it']);
  });

  test('a renewal whose answer was lost is found in the lease and goes on', async () => {
    const { world, server, network, boot } = createOneLeaseWorld();
    const { elector } = boot({ whileLeading: async () => new Promise(() => undefined) });
    await world.advance(1000);
    network.fate = { ...perfect, lost: 'answer' };
    await world.advance(2000);
    network.fate = perfect;
    await world.advance(20_000);
    expect([elector.isLeaderNow(), server.lease()?.spec?.leaseTransitions]).toEqual([true, 0]);
  });

  test('a leader whose lease was deleted makes it again', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { elector } = boot();
    await world.advance(100);
    server.put(undefined);
    await world.advance(2500);
    expect([elector.isLeaderNow(), server.lease()?.spec?.holderIdentity]).toEqual([true, elector.identity]);
  });

  test('a process that was frozen has lost its term before anything else of it runs', async () => {
    const { world, server, boot } = createOneLeaseWorld();
    const { elector, process, lost } = boot();
    await world.advance(3000);
    process.freeze();
    await world.advance(11_000);
    const before = server.effects.length;
    const transport = createFencedTransport(process.transport, elector.fence);
    await expect(transport.request(write)).rejects.toMatchObject({ code: 'leader/lost' });
    expect([lost.length, elector.isLeaderNow()]).toEqual([1, false]);
    process.resume();
    await world.advance(5000);
    expect(server.effects.length).toBe(before);
  });

  test('a machine whose monotonic clock slept with it goes by the wall clock', async () => {
    const { world, boot } = createOneLeaseWorld();
    const { elector } = boot();
    await world.advance(1000);
    world.shiftWallClock(10_000);
    expect(elector.isLeaderNow()).toBe(false);
  });
});
