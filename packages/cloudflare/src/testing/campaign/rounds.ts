import type { Fields } from './edit-spec.ts';
import { withProperty } from './edit-spec.ts';
import type { Property } from './properties.ts';
import type { Schema } from './schema-of.ts';
import type { KnownValues } from './values.ts';

/** A declaration with some properties set, the same with other values of them, and without them. */
export type Round = {
  readonly base: Fields;
  readonly first: Fields;
  readonly second: Fields;
  readonly properties: readonly Property[];
};

export type RoundsInput = {
  readonly bases: readonly Fields[];
  readonly properties: readonly Property[];
  readonly schema: Schema;
  readonly known: KnownValues;
  readonly isValid: (fields: Fields) => boolean;
};

/** As few rounds as it takes: whatever the rules of the kind allow to be set together is. */
export function toRounds({ bases, properties, schema, known, isValid }: RoundsInput): readonly Round[] {
  const rounds: Round[] = [];
  let left = properties;
  for (const base of bases) {
    for (;;) {
      const round = fill(base, left, { schema, known, isValid });
      if (round.properties.length === 0) break;
      rounds.push(round);
      left = left.filter((one) => !round.properties.includes(one));
    }
  }
  return rounds;
}

function fill(
  base: Fields,
  properties: readonly Property[],
  { schema, known, isValid }: Pick<RoundsInput, 'schema' | 'known' | 'isValid'>,
): Round {
  return properties.reduce<Round>(
    (round, property) => {
      const first = withProperty(round.first, property, schema, 'first', known);
      const second = withProperty(round.second, property, schema, 'second', known);
      if (!isValid(first) || !isValid(second)) return round;
      return { base, first, second, properties: [...round.properties, property] };
    },
    { base, first: base, second: base, properties: [] },
  );
}
