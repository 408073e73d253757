import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { isSameList } from './entry.ts';
import { mergeProfile, recordOf, withoutOurs } from './foreign-entries.ts';
import type { ObservedProfile, WantedProfile } from './foreign-entries.ts';

const mine = (address: string): Entry => ({ address, description: '[managed-by:DeviceSettingsPolicy//a]' });
const profile = (fields: Partial<ObservedProfile> = {}): ObservedProfile => ({
  id: 'default',
  mode: 'exclude',
  split: [],
  fallback: [],
  ...fields,
});
const wish = (fields: Partial<WantedProfile> = {}): WantedProfile => ({ split: [], fallback: [], ...fields });

/** What the lists hold after a wish has been carried out. */
function carriedOut(wanted: WantedProfile, before: ObservedProfile): ObservedProfile {
  return {
    ...before,
    mode: wanted.mode ?? before.mode,
    split: [...(wanted.foreign?.split ?? []), ...wanted.split],
    fallback: [...(wanted.foreign?.fallback ?? []), ...wanted.fallback],
  };
}

describe('the lists of a profile', () => {
  test('entries of others stay byte for byte', () => {
    const theirs = [{ address: '192.0.2.0/24', description: 'theirs', more: 1 } as Entry];
    const wanted = mergeProfile(wish({ mode: 'exclude', split: [mine('10.0.0.0/8')] }), profile({ split: theirs }));
    expect(wanted.foreign?.split).toEqual(theirs);
    expect(wanted.split).toEqual([mine('10.0.0.0/8')]);
  });

  test('an entry that carries the mark of another cluster is not ours', () => {
    const theirs = [{ address: '192.0.2.0/24', description: '[managed-by:DeviceSettingsPolicy//elsewhere]' }];
    const wanted = mergeProfile(wish({ mode: 'exclude', split: [mine('10.0.0.0/8')] }), profile({ split: theirs }));
    expect(wanted.foreign?.split).toEqual(theirs);
  });

  test('an entry of ours is known by its mark when nothing was recorded, and goes when it is not wanted', () => {
    const before = profile({ split: [mine('10.0.0.0/8'), mine('10.1.0.0/16')] });
    const wanted = mergeProfile(wish({ mode: 'exclude', split: [mine('10.0.0.0/8')] }), before);
    expect(carriedOut(wanted, before).split).toEqual([mine('10.0.0.0/8')]);
  });

  test('an entry of ours is known by what was recorded when somebody has taken its mark away', () => {
    const before = profile({ split: [{ address: '10.0.0.0/8', description: 'plain' }] });
    const wanted = mergeProfile(wish({ mode: 'exclude', split: [mine('10.0.0.0/8')] }), before, {
      exclude: ['10.0.0.0/8'],
    });
    expect(carriedOut(wanted, before).split).toEqual([mine('10.0.0.0/8')]);
  });

  test('what somebody has there already is left to them, and is not recorded as ours', () => {
    const theirs = [{ address: '10.0.0.0/8', description: 'theirs' }];
    const wanted = mergeProfile(wish({ mode: 'exclude', split: [mine('10.0.0.0/8')] }), profile({ split: theirs }));
    expect(carriedOut(wanted, profile()).split).toEqual(theirs);
    expect(recordOf(wanted)).toMatchObject({ exclude: [] });
  });

  test('another mode does away with the entries of others; they come back when we go', () => {
    const before = profile({ split: [{ address: '192.0.2.0/24' }] });
    const included = mergeProfile(wish({ mode: 'include', split: [mine('10.0.0.0/8')] }), before);
    const during = carriedOut(included, before);
    expect(during).toMatchObject({ mode: 'include', split: [mine('10.0.0.0/8')] });
    expect(carriedOut(withoutOurs(during, recordOf(included)), during)).toEqual(before);
  });

  test('a mode in which others have put entries meanwhile stays when we go', () => {
    const before = profile({ split: [{ address: '192.0.2.0/24' }] });
    const included = mergeProfile(wish({ mode: 'include', split: [mine('10.0.0.0/8')] }), before);
    const during = carriedOut(included, before);
    const shared = { ...during, split: [...during.split, { address: '203.0.113.0/24' }] };
    const after = carriedOut(withoutOurs(shared, recordOf(included)), shared);
    expect(after).toMatchObject({ mode: 'include', split: [{ address: '203.0.113.0/24' }] });
  });

  test('servers of ours take the place of others only for as long as they are wanted', () => {
    const before = profile({ fallback: [{ suffix: 'corp' }, { suffix: 'lan' }] });
    const ours = { suffix: 'Corp', dns_server: ['10.0.0.53'], description: '[managed-by:DeviceSettingsPolicy//a]' };
    const wanted = mergeProfile(wish({ fallback: [ours] }), before);
    const during = carriedOut(wanted, before);
    expect(during.fallback).toEqual([{ suffix: 'lan' }, ours]);
    const after = carriedOut(mergeProfile(wish(), during, recordOf(wanted)), during);
    expect(isSameList(after.fallback, before.fallback)).toBe(true);
  });
});

test('whatever is wanted, nothing of others is lost: when we are gone all is as before', () => {
  const addresses = fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '192.0.2.0/24', '198.51.100.0/24'));
  const suffixes = fc.uniqueArray(
    fc.record({ suffix: fc.constantFrom('corp', 'lan', 'home'), dns_server: fc.constantFrom([], ['10.0.0.53']) }),
    { selector: ({ suffix }) => suffix },
  );
  const mode = fc.constantFrom('exclude' as const, 'include' as const);
  const wishes = fc.array(fc.record({ mode: fc.option(mode, { nil: undefined }), addresses, suffixes }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(mode, addresses, suffixes, wishes, (startMode, theirs, theirSuffixes, all) => {
      // In the mode to include, nobody's entries are no reason to stay in it.
      const start = startMode === 'include' && theirs.length === 0 ? 'exclude' : startMode;
      const before = profile({ mode: start, split: theirs.map((address) => ({ address })), fallback: theirSuffixes });
      let [now, recorded] = [before, {}];
      for (const { mode: wanted, addresses: own, suffixes: domains } of all) {
        const desired = wish({
          ...(wanted && { mode: wanted, split: own.map(mine) }),
          fallback: domains.map((entry) => ({ ...entry, description: '[managed-by:DeviceSettingsPolicy//a]' })),
        });
        const merged = mergeProfile(desired, now, recorded);
        [now, recorded] = [carriedOut(merged, now), recordOf(merged)];
      }
      const after = carriedOut(withoutOurs(now, recorded), now);
      expect(after.mode).toBe(before.mode);
      expect(isSameList(after.split, before.split)).toBe(true);
      expect(isSameList(after.fallback, before.fallback)).toBe(true);
    }),
  );
});
