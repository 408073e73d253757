import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareSources } from '../../engine/l4-state/source.ts';
import type { Source } from '../../engine/l4-state/source.ts';
import { aggregateZone } from './aggregate.ts';
import type { DomainConfig } from './aggregate.ts';

const source = (name: string, config: DomainConfig, priority = 100): Source<DomainConfig> => ({
  ref: { kind: 'CloudflareDomain', name },
  config,
  priority,
  createdAt: '2026-01-01T00:00:00Z',
});
const lookup = source('record', { lookup: true });

describe('what several sources want of one zone', () => {
  test('each setting goes to the first that names it; who wants another value hears who won', () => {
    expect(
      aggregateZone([
        source('a', { settings: { ssl: 'strict', http3: 'on' } }, 10),
        source('b', { settings: { ssl: 'full', http3: 'on', brotli: 'on' } }),
      ]),
    ).toEqual({
      ok: true,
      desired: { settings: { ssl: 'strict', http3: 'on', brotli: 'on' } },
      losers: [
        {
          ref: { kind: 'CloudflareDomain', name: 'b' },
          what: 'ssl',
          winner: { kind: 'CloudflareDomain', name: 'a' },
          reason: 'CloudflareDomain/a sets it to strict and has the lower priority number',
        },
      ],
    });
  });

  test('whoever only looks the zone up wants no setting', () => {
    expect(aggregateZone([lookup])).toEqual({ ok: true, desired: { settings: {} }, losers: [] });
  });

  test('an id that somebody knows saves the lookup', () => {
    expect(aggregateZone([lookup, source('a', { zoneId: 'z' })])).toMatchObject({ desired: { zoneId: 'z' } });
  });

  test('it does not depend on the order in which they came', () => {
    const config = fc.record({
      settings: fc.dictionary(fc.constantFrom('ssl', 'http3', 'brotli'), fc.constantFrom('on', 'off')),
    });
    const sources = fc.array(fc.tuple(config, fc.constantFrom(10, 100)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sources, (given) => {
        const all = given.map(([each, priority], at) => source(`s${at}`, each, priority));
        const one = aggregateZone(all.toSorted(compareSources));
        expect(aggregateZone(all.toReversed().toSorted(compareSources))).toEqual(one);
      }),
    );
  });
});
