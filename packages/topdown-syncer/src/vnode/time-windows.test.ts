import { describe, expect, test } from 'vitest';
import { isActive, isTimeZone, nextChangeMs, windowProblems } from './time-windows.ts';

// 2026-01-05 is a Monday.
const at = (text: string): number => Date.parse(`${text}:00Z`);
const office = { start: '09:00', end: '17:00' };
const night = { start: '22:00', end: '06:00' };

describe('a policy is active', () => {
  const cases = [
    { name: 'always, without windows', windows: [], now: '2026-01-05T03:00', active: true },
    { name: 'in the first minute of a window', windows: [office], now: '2026-01-05T09:00', active: true },
    { name: 'in the last minute of a window', windows: [office], now: '2026-01-05T17:00', active: true },
    { name: 'not a minute later', windows: [office], now: '2026-01-05T17:01', active: false },
    { name: 'not a minute before', windows: [office], now: '2026-01-05T08:59', active: false },
    { name: 'late in a window over midnight', windows: [night], now: '2026-01-05T23:30', active: true },
    { name: 'early in a window over midnight', windows: [night], now: '2026-01-06T05:30', active: true },
    {
      name: 'not between the ends of a window over midnight',
      windows: [night],
      now: '2026-01-05T12:00',
      active: false,
    },
    {
      name: 'on a listed day, in whatever case',
      windows: [{ ...office, days: ['MONDAY'] }],
      now: '2026-01-05T10:00',
      active: true,
    },
    {
      name: 'not on a day that is not listed',
      windows: [{ ...office, days: ['Tuesday'] }],
      now: '2026-01-05T10:00',
      active: false,
    },
    {
      name: 'after midnight only if the new day is listed too',
      windows: [{ ...night, days: ['Monday'] }],
      now: '2026-01-06T05:00',
      active: false,
    },
    {
      name: 'in the early hours of a listed day',
      windows: [{ ...night, days: ['Monday'] }],
      now: '2026-01-05T05:00',
      active: true,
    },
    {
      name: 'if any of several windows is open',
      windows: [office, night],
      now: '2026-01-05T22:00',
      active: true,
    },
    {
      name: 'never by a window that cannot be read',
      windows: [{ start: '9', end: '17:00' }],
      now: '2026-01-05T10:00',
      active: false,
    },
    { name: 'never by hour 24', windows: [{ start: '00:00', end: '24:00' }], now: '2026-01-05T10:00', active: false },
  ];
  for (const { name, windows, now, active } of cases) {
    test(name, () => expect(isActive(windows, at(now), 'UTC')).toBe(active));
  }

  test('by the clock of the given zone, not of the machine (W19)', () => {
    expect(isActive([office], at('2026-01-05T01:30'), 'Asia/Shanghai')).toBe(true);
    expect(isActive([office], at('2026-01-05T01:30'), 'UTC')).toBe(false);
  });

  test('by the weekday of the given zone', () => {
    const tuesdays = [{ start: '00:00', end: '23:59', days: ['Tuesday'] }];
    expect(isActive(tuesdays, at('2026-01-05T17:00'), 'Asia/Shanghai')).toBe(true);
    expect(isActive(tuesdays, at('2026-01-05T17:00'), 'UTC')).toBe(false);
  });
});

describe('the next change', () => {
  test('is the first minute outside', () => {
    expect(nextChangeMs([office], at('2026-01-05T16:59') + 5000, 'UTC')).toBe(at('2026-01-05T17:01'));
  });
  test('is the first minute inside', () => {
    expect(nextChangeMs([office], at('2026-01-05T06:00'), 'UTC')).toBe(at('2026-01-05T09:00'));
  });
  test('is looked for again after a day when none is near', () => {
    const friday = [{ ...office, days: ['Friday'] }];
    expect(nextChangeMs(friday, at('2026-01-05T06:00'), 'UTC')).toBe(at('2026-01-06T06:01'));
  });
  test('never comes without windows', () => expect(nextChangeMs([], at('2026-01-05T06:00'), 'UTC')).toBeUndefined());
});

describe('windows that cannot be right are named', () => {
  test('times of day', () => {
    expect(windowProblems([{ start: '9:00', end: '25:00' }])).toEqual([
      'timeWindows[0].start is not a time of day as in 08:30',
      'timeWindows[0].end is not a time of day as in 08:30',
    ]);
  });
  test('weekdays', () => {
    expect(windowProblems([office, { ...office, days: ['Monday', 'Caturday'] }])).toEqual([
      'timeWindows[1].days: "Caturday" is no weekday',
    ]);
  });
  test('nothing where nothing is wrong', () => expect(windowProblems([office, night])).toEqual([]));
});

test('a time zone is known or it is not', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Europe/Atlantis')).toBe(false);
});
