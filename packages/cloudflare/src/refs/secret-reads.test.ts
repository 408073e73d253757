import { connect } from '@tributary/runtime';
import type { Connection, KubeObject } from '@tributary/runtime';
import { secretKind } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSecretReads } from './secret-reads.ts';

const place = { namespace: 'default', name: 'gh' };

let clock: SimulatedClock;
let cluster: Cluster;
let user: Connection;
let reads: ReturnType<typeof createSecretReads>;
let told: string[];
let end: AbortController;

beforeEach(async () => {
  clock = createSimulatedClock();
  cluster = await startCluster({ clock, random: () => 0.5, listen: false });
  user = connect({ transport: cluster.transport(), clock, random: () => 0.5, userAgent: 'user' });
  reads = createSecretReads(user);
  told = [];
  reads.onChange((key) => void told.push(key));
  end = new AbortController();
});
afterEach(async () => {
  end.abort();
  await cluster.stop();
});

const run = (): void => void reads.runnable.run(end.signal);
const secretOf = (it: string): KubeObject => ({ metadata: place, stringData: { it } }) as unknown as KubeObject;

test('what has not been read is not ready, and whoever asked is told when it is', async () => {
  await user.client.create(secretKind, secretOf('one'));
  expect(reads.peek(place)).toMatchObject({ ok: false, reason: 'NotReady' });
  run();
  await clock.runUntil(() => told.length > 0, 10_000);
  expect(told).toEqual(['default/gh']);
  expect(reads.peek(place)).toMatchObject({ ok: true, value: { data: { it: 'b25l' } } });
});

test('one that is not there is told so, and is told of when it comes, changes and goes', async () => {
  run();
  reads.peek(place);
  await clock.runUntil(() => told.length === 1, 10_000);
  expect(reads.peek(place)).toMatchObject({ ok: false, reason: 'NotFound', message: 'Secret default/gh is not there' });
  await user.client.create(secretKind, secretOf('one'));
  await clock.runUntil(() => told.length === 2, 10_000);
  expect(reads.peek(place)).toMatchObject({ ok: true });
  await user.client.patch(secretKind, place, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
  await clock.advance(5000);
  expect(told).toHaveLength(2);
  await user.client.patch(secretKind, place, { type: 'merge', body: { stringData: { it: 'two' } } });
  await clock.runUntil(() => told.length === 3, 10_000);
  expect(reads.peek(place)).toMatchObject({ value: { data: { it: 'dHdv' } } });
  await user.client.delete(secretKind, place);
  await clock.runUntil(() => told.length === 4, 10_000);
  expect(reads.peek(place)).toMatchObject({ ok: false, reason: 'NotFound' });
});
