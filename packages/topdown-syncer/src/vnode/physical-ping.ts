// Whether P answers. Leases of virtual nodes are renewed, and anything is deleted, only while it does: a cluster that nobody can
// reach must look so, and must not look empty.
import { sleep } from '@tributary/runtime';
import type { Clock, Connection, Log, Runnable } from '@tributary/runtime';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';

export type PingOptions = {
  /** From one question to the next; 10 s when absent. */
  readonly intervalMs?: number;
  /** The same while there is no answer; 2 s when absent. */
  readonly retryMs?: number;
  /** How long an answer may take; 5 s when absent. */
  readonly timeoutMs?: number;
};

export type PingDeps = {
  readonly physical: Pick<Connection, 'client'>;
  readonly clock: Clock;
  readonly log: Log;
};

export type PhysicalPing = Runnable & {
  /** The last question was answered, and not too long ago: a process that was frozen has to ask again first. */
  readonly answers: () => boolean;
};

const defaults = { intervalMs: 10_000, retryMs: 2000, timeoutMs: 5000 };

export function createPhysicalPing(options: PingOptions, { physical, clock, log }: PingDeps): PhysicalPing {
  const { intervalMs, retryMs, timeoutMs } = { ...defaults, ...options };
  let answeredAt: number | undefined;
  let failing = false;
  const answers = (): boolean =>
    !failing && answeredAt !== undefined && clock.monotonic() - answeredAt <= intervalMs + timeoutMs + retryMs;

  const ask = async (signal: AbortSignal): Promise<void> => {
    try {
      // A read of something small that goes through to the storage: a server without it is no use to anybody.
      await physical.client.list(resourceLeasingPolicyKind, { limit: 1, timeoutMs, signal });
      if (failing) log.info({}, 'the physical cluster answers again');
      answeredAt = clock.monotonic();
      failing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!failing) log.warn({ err: error }, 'the physical cluster does not answer; leases of virtual nodes run out');
      failing = true;
    }
  };

  return {
    name: 'physical-ping',
    runs: 'always',
    answers,
    run: async (signal) => {
      while (!signal.aborted) {
        await ask(signal);
        await sleep(clock, failing ? retryMs : intervalMs, signal).catch(() => undefined);
      }
    },
  };
}
