/**
 * A program for tests: one replica of an operator, whole, from the signal to the exit code. While it leads it writes
 * to one ConfigMap as fast as it can, under its own key: its term, a counter and the time at which it made the entry.
 */
import { createKubeClient } from '../../client/create-kube-client.ts';
import { createUndiciTransport } from '../../client/undici-transport.ts';
import { sleep, systemClock } from '../../clock.ts';
import { loadClusterAccess } from '../../kubeconfig/load-cluster-access.ts';
import { systemAccessDeps } from '../../kubeconfig/system-access-deps.ts';
import type { Log, LogLine } from '../../log.ts';
import { createManager } from '../../manager/create-manager.ts';
import { runMain } from '../../manager/run-main.ts';
import { createFencedTransport } from '../fenced-transport.ts';
import { createLeaderElector } from '../leader-elector.ts';
import { ledgers } from './ledger.ts';

export type ReplicaArguments = {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly identity: string;
  readonly times: {
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
  };
};

/** What the program prints first, so that the test knows its full name. */
export type ReplicaGreeting = { readonly identity: string };

const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const describe = (error: unknown): unknown => (error instanceof Error ? error.message : error);

const at =
  (level: string): LogLine =>
  (fields, message) =>
    print({ level, message, at: Math.round(performance.now()), ...fields, err: describe(fields['err']) });

const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };

async function main({ kubeconfig, namespace, identity, times }: ReplicaArguments, signal: AbortSignal): Promise<void> {
  const deps = systemAccessDeps({});
  const clock = systemClock;
  const transport = createUndiciTransport({ access: await loadClusterAccess({ kubeconfig }, deps) }, deps);
  const elector = createLeaderElector(
    { lease: { namespace, name: 'operator' }, identity, ...times },
    { client: createKubeClient({ transport }), clock, random: Math.random, log },
  );
  const writer = createKubeClient({ transport: createFencedTransport(transport, elector.fence) });
  let term = -1;
  let count = 0;
  /** It never asks whether it still leads: the fence has to. Each answer is followed by the next write at once. */
  const writeOn = async (stop: AbortSignal): Promise<void> => {
    let ledger = await writer.get(ledgers, { namespace, name: 'ledger' });
    while (!stop.aborted) {
      try {
        const entry = `${term}/${(count += 1)}/${Date.now()}`;
        ledger = await writer.update(ledgers, { ...ledger, data: { ...ledger.data, [elector.identity]: entry } });
      } catch {
        await sleep(clock, 5);
        ledger = await writer.get(ledgers, { namespace, name: 'ledger' });
      }
    }
  };
  print({ identity: elector.identity } satisfies ReplicaGreeting);
  const run: typeof elector.run = async (stop, whileLeading) =>
    elector.run(stop, async (held) => {
      term = held.number;
      await whileLeading(held);
    });
  const runnables = [{ name: 'writer', runs: 'leader' as const, run: writeOn }];
  const manager = createManager({ runnables, healthAddress: '0' }, { caches: [], elector: { run }, clock, log });
  await manager.run(signal).finally(() => void transport.close());
}

// Orphans end: the test that started this program holds the other end of the pipe.
process.stdin.on('end', () => process.exit(2)).resume();
await runMain(async (signal) => main(JSON.parse(process.argv[2] ?? '') as ReplicaArguments, signal), {
  host: process,
  log,
});
