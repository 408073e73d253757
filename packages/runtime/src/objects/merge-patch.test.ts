import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatchBetween } from './merge-patch.ts';

const cases = [
  { name: 'equal objects need none', before: { a: { b: [1] } }, after: { a: { b: [1] } }, patch: undefined },
  { name: 'a changed field is named alone', before: { a: 1, b: 2 }, after: { a: 1, b: 3 }, patch: { b: 3 } },
  { name: 'a removed field is null', before: { a: { b: 1, c: 2 } }, after: { a: { c: 2 } }, patch: { a: { b: null } } },
  { name: 'a list is replaced as a whole', before: { a: [1, 2] }, after: { a: [2] }, patch: { a: [2] } },
  { name: 'an object takes the place of a scalar', before: { a: 1 }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { name: 'an empty object is made', before: {}, after: { a: {} }, patch: { a: {} } },
  { name: 'an empty object takes the place of a scalar', before: { a: 1 }, after: { a: {} }, patch: { a: {} } },
  { name: 'a scalar takes the place of an object', before: { a: { b: 1 } }, after: { a: 1 }, patch: { a: 1 } },
  { name: 'an undefined field is an absent one', before: { a: undefined }, after: { b: undefined }, patch: undefined },
  { name: 'null is absence on both sides', before: { a: null }, after: {}, patch: undefined },
];

describe('a merge patch', () => {
  for (const { name, before, after, patch } of cases) {
    test(name, () => expect(mergePatchBetween(before, after)).toEqual(patch));
  }

  const json = fc.letrec<{ object: object; value: unknown }>((tie) => ({
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.array(fc.integer()), tie('object')),
  })).object;

  test('turns the one into the other, whatever they are', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(apply(before, mergePatchBetween(before, after) ?? {})).toEqual(after);
      }),
    );
  });
});

/** RFC 7386, section 2. */
function apply(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isObject ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = apply(result[key], value);
  }
  return result;
}
