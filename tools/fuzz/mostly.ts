import fc from 'fast-check';

/** One of the usual values, and now and then an odd one. */
export function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}
