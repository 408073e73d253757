import { describe, expect, test } from 'vitest';
import { ourVerdict, readVerdicts, recordedSpecs } from './testing/verdicts.ts';

// What the real API server answered. schema.real.test.ts keeps it true, and rewrites it with UPDATE_GOLDEN=1.
describe('we judge as the real API server did', () => {
  const recorded = readVerdicts();
  const specs = recordedSpecs();
  test('every spec that is tried', () => {
    expect(specs.map(([kind, spec]) => ({ kind: kind.kind, spec }))).toEqual(
      recorded.map(({ kind, spec }) => ({ kind, spec })),
    );
    expect(new Set(recorded.map(({ verdict }) => verdict.ok))).toEqual(new Set([true, false]));
  });
  for (const [nth, { kind, spec, verdict }] of recorded.entries()) {
    const { title: _title, class: _class, ...rest } = spec as Record<string, unknown>;
    const shown = kind === 'Phrase' ? Object.values(rest)[0] : spec;
    test(`${kind} ${JSON.stringify(shown).slice(0, 100)} (${nth})`, () => {
      expect(ourVerdict(specs[nth]![0], spec)).toEqual(verdict);
    });
  }
});
