import { startCluster } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMapKind } from '../builtin-kinds.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createOperatorProcess } from './operator-process.ts';
import type { OperatorParts } from './operator-process.ts';
import type { Runnable } from './runnable.ts';

let cluster: Awaited<ReturnType<typeof startCluster>>;
let stop: AbortController;
beforeEach(async () => {
  cluster = await startCluster({ listen: false });
  stop = new AbortController();
});
afterEach(async () => cluster.stop());

type Seen = { parts: OperatorParts | undefined; led: PromiseWithResolvers<void> };

function start(lease: string | undefined): Seen & { running: Promise<void>; lines: string[] } {
  const lines: string[] = [];
  const seen: Seen = { parts: undefined, led: Promise.withResolvers<void>() };
  const lead: Runnable = {
    name: 'lead',
    runs: 'leader',
    run: async (signal) => {
      seen.led.resolve();
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
  const process = createOperatorProcess(
    {
      name: 'test-operator',
      transport: cluster.transport(),
      ...(lease && { election: { lease: { namespace: 'default', name: lease }, identity: 'one' } }),
      metricsAddress: '127.0.0.1:0',
      healthAddress: '0',
      build: (parts) => {
        seen.parts = parts;
        return [lead];
      },
    },
    { log: createLogger({ destination: { write: (line) => void lines.push(line) } }) },
  );
  return Object.assign(seen, { running: process.run(stop.signal), lines });
}

const wish = (name: string) => ({ metadata: { name, namespace: 'default' } });

test('what runs on the leader starts with the lease, and writes through its connection while it leads', async () => {
  const { led, running, parts } = start('the-lease');
  await led.promise;
  expect(parts?.isLeader()).toBe(true);
  await parts?.leader.client.create(configMapKind, wish('led'));
  stop.abort();
  await running;
  await expect(parts?.leader.client.create(configMapKind, wish('late'))).rejects.toMatchObject({ code: 'leader/lost' });
});

test('without an election the process leads at once', async () => {
  const { led, running, parts } = start(undefined);
  await led.promise;
  expect(parts?.isLeader()).toBe(true);
  stop.abort();
  await running;
});

test('metrics answer at an address of their own', async () => {
  const { led, running, lines } = start(undefined);
  await led.promise;
  await expect.poll(() => lines.find((one) => one.includes('metrics are served'))).toBeDefined();
  const { port } = JSON.parse(lines.find((one) => one.includes('metrics are served')) ?? '{}') as { port: number };
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await answer.text()).toContain('rest_client_requests_total');
  stop.abort();
  await running;
});
