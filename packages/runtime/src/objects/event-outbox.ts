import { isNamespaceTerminating } from '../client/error-checks.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { isOperatorError } from '../operator-error.ts';
import type { EventEntry } from './event-correlator.ts';

export type OutboxOptions = {
  /** Events that wait to be written; the newest beyond that are lost. */
  readonly maxPending: number;
  /** How often an event is tried that the server did not take. */
  readonly maxTries: number;
  readonly retryMs: number;
};

export type OutboxDeps = {
  readonly write: (entry: EventEntry) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
};

/** Events on their way to the server, one after the other. */
export type EventOutbox = {
  readonly put: (entry: EventEntry) => void;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function createEventOutbox(options: OutboxOptions, { write, clock, random, log }: OutboxDeps): EventOutbox {
  // By key, so that what is told many times while the server is slow becomes one write.
  const pending = new Map<string, EventEntry>();
  const stopping = new AbortController();
  let draining: Promise<void> | undefined;

  const tryToWrite = async (entry: EventEntry): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(entry);
      } catch (error) {
        if (isHopeless(error) || stopping.signal.aborted || tries >= options.maxTries) {
          return log.warn({ err: error, reason: entry.note.reason, object: entry.involved.name }, 'an event was lost');
        }
        // Spread, or all replicas come back to a server in trouble at the same moment.
        await sleep(clock, options.retryMs * (0.5 + random()), stopping.signal).catch(() => undefined);
      }
    }
  };
  const drain = async (): Promise<void> => {
    for (;;) {
      const [entry] = pending.values();
      if (!entry) break;
      pending.delete(entry.key);
      await tryToWrite(entry);
    }
    draining = undefined;
  };
  const flush = async (): Promise<void> => {
    await draining;
  };
  return {
    put: (entry) => {
      if (stopping.signal.aborted) return;
      if (pending.size >= options.maxPending && !pending.has(entry.key)) {
        log.warn({ reason: entry.note.reason, object: entry.involved.name }, 'too many events wait, one was lost');
        return;
      }
      pending.set(entry.key, entry);
      draining ??= drain();
    },
    flush,
    stop: async () => {
      stopping.abort();
      await flush();
    },
  };
}

function isHopeless(error: unknown): boolean {
  return isNamespaceTerminating(error) || (isOperatorError(error) && error.retry.kind === 'never');
}
