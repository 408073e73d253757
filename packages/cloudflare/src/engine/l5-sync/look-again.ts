import { recheck, settled } from '@tributary/runtime';
import type { Clock, Outcome } from '@tributary/runtime';
import { askAgainMs } from './engine.ts';
import type { SyncState } from '../l4-state/sync-state.ts';

/** Timers count in 32 bits; what lies farther ahead is met in several steps, each of them silent. */
const longestStepMs = 24 * 60 * 60_000;

/** How long until the object asks for a look: 0 when it is time, undefined when it never does. */
export function untilLookMs({ status }: SyncState, clock: Pick<Clock, 'now'>): number | undefined {
  return status?.lookAgainAt === undefined ? undefined : Math.max(0, Date.parse(status.lookAgainAt) - clock.now());
}

export function lookAgainIn(leftMs: number | undefined): Outcome {
  return leftMs === undefined ? settled : recheck(Math.min(leftMs, longestStepMs));
}

/** After a look. What is still due then would be looked at without end, and has to wait. */
export function lookAgainAfter(lookAgainAt: number | undefined, clock: Pick<Clock, 'now'>): Outcome {
  const leftMs = lookAgainAt === undefined ? undefined : lookAgainAt - clock.now();
  return lookAgainIn(leftMs !== undefined && leftMs <= 0 ? askAgainMs : leftMs);
}
