import { sleep } from '@tributary/runtime';
import type { Clock, Log, Runnable } from '@tributary/runtime';

export type DriftOptions = {
  /** How often each scope is looked at; 0: never. */
  readonly driftMs: number;
};

export type DriftDeps = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The scopes that there are now. */
  readonly scopes: () => ReadonlySet<string>;
  readonly verify: (scope: string) => void;
  /** Called now and then, whatever `driftMs` says. */
  readonly tidy: () => Promise<void>;
};

const tickMs = 60_000;

/**
 * Has every scope looked at once per period, at a time of its own: a hundred zones must not be listed in the same minute.
 * The look itself is an ordinary sync that takes nothing for granted.
 */
export function createDriftRunnable({ driftMs }: DriftOptions, deps: DriftDeps): Runnable {
  const { clock, random, log } = deps;
  return {
    name: 'cloudflare-drift',
    runs: 'leader',
    run: async (signal) => {
      const dueAt = new Map<string, number>();
      while (!signal.aborted) {
        try {
          await sleep(clock, driftMs > 0 ? Math.min(tickMs, driftMs / 4) : tickMs, signal);
        } catch {
          return;
        }
        await deps.tidy().catch((error: unknown) => log.warn({ err: error }, 'plans of deletions could not be tidied'));
        if (driftMs > 0) visit(dueAt);
      }
    },
  };

  function visit(dueAt: Map<string, number>): void {
    const scopes = deps.scopes();
    const now = clock.monotonic();
    for (const scope of dueAt.keys()) if (!scopes.has(scope)) dueAt.delete(scope);
    for (const scope of scopes) {
      const at = dueAt.get(scope);
      if (at !== undefined && at <= now) deps.verify(scope);
      // The first look comes within the period, the others a period apart, give or take a tenth.
      if (at === undefined) dueAt.set(scope, now + driftMs * (0.2 + 0.8 * random()));
      else if (at <= now) dueAt.set(scope, now + driftMs * (0.9 + 0.2 * random()));
    }
  }
}
