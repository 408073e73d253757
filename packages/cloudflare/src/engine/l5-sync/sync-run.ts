import type { Priority } from '@tributary/cloudflare-api';
import type { ReconcileContext } from '@tributary/runtime';
import type { Loser } from '../l4-state/loser.ts';
import type { Presence } from './crowd.ts';
import type { Engine } from './engine.ts';
import type { PlanInput } from './plan.ts';
import type { StatusWriter } from './status-writer.ts';
import type { Wish } from './wish.ts';

/** One run for one wanted object. */
export type Run = {
  readonly engine: Engine;
  readonly wish: Wish;
  readonly desired: unknown;
  readonly losers: readonly Loser[];
  readonly hash: string;
  readonly refusal: string;
  /** Looked at although it seems to be in order. */
  readonly verify: boolean;
  readonly presence: Presence;
  readonly status: StatusWriter;
  readonly context: ReconcileContext;
  /** The hash of what was observed; empty before that. */
  seen: () => string;
};

export type Input = PlanInput<unknown, unknown, unknown>;

export function priorityOf({ verify }: Pick<Run, 'verify'>): Priority {
  return verify ? 'drift' : 'change';
}
