import { describe, expect, test } from 'vitest';
import { toKnown } from './domain-state.ts';

const pending = { ownership: 'pending', ssl: 'pending' };
const active = { ownership: 'active', ssl: 'active' };
const unknown = { ownership: 'unknown', ssl: 'unknown' };

describe('what is known of a domain', () => {
  const cases = [
    { name: 'what a write leaves open is pending', seen: {}, before: undefined, known: { ...pending, since: 5 } },
    {
      name: 'the beginning of the wait stays',
      seen: { status: pending },
      before: { ...pending, since: 1 },
      known: { ...pending, since: 1 },
    },
    {
      name: 'what is active is not waited for',
      seen: { status: active },
      before: { ...pending, since: 1 },
      known: active,
    },
    {
      name: 'one half active is not enough',
      seen: { status: { ...active, ssl: 'pending' } },
      before: undefined,
      known: { ownership: 'active', ssl: 'pending', since: 5 },
    },
    {
      name: 'both unknown is no news',
      seen: { status: unknown },
      before: { ...active, zoneId: 'z' },
      known: { ...active, zoneId: 'z' },
    },
    {
      name: 'one unknown is',
      seen: { status: { ...active, ssl: 'unknown' } },
      before: active,
      known: { ownership: 'active', ssl: 'unknown', since: 5 },
    },
  ];
  test.each(cases)('$name', ({ seen, before, known }) => {
    expect(toKnown(seen, before, 5)).toEqual(known);
  });

  test('without a time nobody waits', () => {
    expect(toKnown({}, undefined)).toEqual(pending);
  });
});
