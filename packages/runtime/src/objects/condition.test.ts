import { describe, expect, test } from 'vitest';
import { getCondition, isTrue, setCondition, toTimestamp } from './condition.ts';
import type { Condition } from './condition.ts';

const ready: Condition = {
  type: 'Ready',
  status: 'True',
  observedGeneration: 3,
  lastTransitionTime: '2026-01-05T12:00:00Z',
  reason: 'Done',
  message: 'all is well',
};
const other: Condition = { ...ready, type: 'Synced' };
const now = Date.UTC(2026, 0, 6, 1, 2, 3, 456);
const at = { now, observedGeneration: 3 };

describe('setting a condition', () => {
  test('to what it is gives back the very same array', () => {
    const conditions = [ready, other];
    expect(
      setCondition(conditions, { type: 'Ready', status: 'True', reason: 'Done', message: 'all is well' }, at),
    ).toBe(conditions);
  });
  test('to another status moves the time of transition, in whole seconds', () => {
    const [first, second] = setCondition(
      [ready, other],
      { ...ready, status: 'False', reason: 'Broken', message: 'x' },
      at,
    );
    expect(first).toEqual({
      ...ready,
      status: 'False',
      reason: 'Broken',
      message: 'x',
      lastTransitionTime: '2026-01-06T01:02:03Z',
    });
    expect(second).toBe(other);
  });
  for (const change of [{ reason: 'Other' }, { message: 'other' }] as const) {
    test(`to another ${Object.keys(change)[0]} leaves the time of transition`, () => {
      expect(setCondition([ready], { ...ready, ...change }, at)).toEqual([{ ...ready, ...change }]);
    });
  }
  test('for another generation leaves the time of transition', () => {
    expect(setCondition([ready], ready, { now, observedGeneration: 4 })).toEqual([{ ...ready, observedGeneration: 4 }]);
  });
  test('without a generation writes none', () => {
    expect(setCondition(undefined, { type: 'A', status: 'Unknown', reason: 'R', message: '' }, { now })).toEqual([
      { type: 'A', status: 'Unknown', reason: 'R', message: '', lastTransitionTime: '2026-01-06T01:02:03Z' },
    ]);
  });
  test('keeps its place, and a new one goes to the end', () => {
    const order = (conditions: readonly Condition[]): readonly string[] => conditions.map(({ type }) => type);
    const next = { status: 'False', reason: 'R', message: '' } as const;
    expect(order(setCondition([ready, other], { type: 'Ready', ...next }, at))).toEqual(['Ready', 'Synced']);
    expect(order(setCondition([ready, other], { type: 'Able', ...next }, at))).toEqual(['Ready', 'Synced', 'Able']);
  });
});

test('only True is true', () => {
  expect(isTrue([ready], 'Ready')).toBe(true);
  expect(isTrue([{ ...ready, status: 'Unknown' }], 'Ready')).toBe(false);
  expect(isTrue(undefined, 'Ready')).toBe(false);
  expect(getCondition([ready, other], 'Synced')).toBe(other);
});

test('timestamps have whole seconds', () => expect(toTimestamp(0)).toBe('1970-01-01T00:00:00Z'));
