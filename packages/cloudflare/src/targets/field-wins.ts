import type { Loser } from '../engine/l4-state/loser.ts';
import { sourceId } from '../engine/l4-state/source.ts';
import type { Source } from '../engine/l4-state/source.ts';

type Value = string | number | boolean;
export type FieldValues<V extends Value = Value> = Readonly<Record<string, V>>;

/** Each field by itself: the first source that names it wins; who wants another value hears it. */
export function fieldWins<C, V extends Value>(
  sources: readonly Source<C>[],
  fieldsOf: (config: C) => FieldValues<V>,
): { readonly values: FieldValues<V>; readonly losers: readonly Loser[] } {
  const values: Record<string, V> = {};
  const winners = new Map<string, Source<C>>();
  const losers: Loser[] = [];
  for (const source of sources) {
    for (const [name, value] of Object.entries(fieldsOf(source.config))) {
      const winner = winners.get(name);
      if (!winner) {
        winners.set(name, source);
        values[name] = value;
      } else if (values[name] !== value) {
        losers.push(toLoser(source, winner, name, values[name]));
      }
    }
  }
  return { values, losers };
}

function toLoser<C>({ ref, priority }: Source<C>, winner: Source<C>, what: string, value: Value | undefined): Loser {
  const why = priority === winner.priority ? 'was there first' : 'has the lower priority number';
  const reason = `${sourceId(winner.ref)} sets it to ${String(value ?? '')} and ${why}`;
  return { ref, what, winner: winner.ref, reason };
}
