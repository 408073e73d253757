import { sourceId } from '../engine/l4-state/source.ts';
import type { Loser } from '../engine/l4-state/loser.ts';
import type { Source } from '../engine/l4-state/source.ts';

export type FirstWins<C> = { readonly winner: Source<C>; readonly losers: readonly Loser[] };

/** For targets that can be as one source wants them only: the first of them in winning order, and what the rest hear. */
export function firstWins<C>(sources: readonly Source<C>[], what: string): FirstWins<C> {
  const [winner, ...rest] = sources;
  if (!winner) throw new RangeError('a target is only asked about when it has sources');
  const losers = rest.map((source) => ({
    ref: source.ref,
    what,
    winner: winner.ref,
    reason: `${sourceId(winner.ref)} ${source.priority === winner.priority ? 'was there first' : 'comes before it'}`,
  }));
  return { winner, losers };
}
