import { describe, expect, test } from 'vitest';
import type { StoredObject } from '../../registry/json.ts';
import { planRollout } from './rollout-plan.ts';
import type { Sized } from './rollout-plan.ts';
import { isScaling, planScale } from './scale-plan.ts';

const deployment = (replicas: number, maxSurge: unknown, maxUnavailable: unknown): StoredObject =>
  ({
    metadata: { name: 'web' },
    spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
  }) as unknown as StoredObject;
const set = (name: string, wanted: number, available: number, more: Partial<Sized> = {}): Sized => ({
  name,
  wanted,
  actual: wanted,
  ready: available,
  available,
  terminating: 0,
  sizedFor: undefined,
  mostThen: undefined,
  ...more,
});
const shown = (steps: readonly { readonly name: string; readonly to: number }[]): string =>
  steps.map(({ name, to }) => `${name}:${to}`).join(' ');

describe('a step of a rollout', () => {
  const cases: readonly (readonly [string, StoredObject, Sized, readonly Sized[], string])[] = [
    ['the new set grows by the surge', deployment(10, 3, 2), set('new', 0, 0), [set('old', 10, 10)], 'new:3'],
    ['then the old one shrinks', deployment(10, 3, 2), set('new', 3, 0), [set('old', 10, 10)], 'old:8'],
    ['and the new one takes the room', deployment(10, 3, 2), set('new', 3, 0), [set('old', 8, 8)], 'new:5'],
    ['new pods that never come hold everything', deployment(10, 3, 2), set('new', 5, 0), [set('old', 8, 8)], ''],
    ['also when an old one is lost', deployment(10, 3, 2), set('new', 5, 0), [set('old', 8, 7)], ''],
    ['what serves nobody goes first', deployment(4, 1, 0), set('new', 1, 0), [set('a', 2, 0), set('b', 2, 2)], ''],
    ['when there is room for it', deployment(4, 1, 0), set('new', 1, 1), [set('a', 2, 0), set('b', 2, 2)], 'a:1'],
    ['percents of many', deployment(10, '25%', '25%'), set('new', 0, 0), [set('old', 10, 10)], 'new:3'],
    ['neither more nor fewer means one fewer', deployment(2, 0, 0), set('new', 0, 0), [set('old', 2, 2)], 'old:1'],
    ['all is done', deployment(3, 1, 0), set('new', 3, 3), [set('old', 0, 0)], ''],
  ];
  for (const [name, wanted, current, old, steps] of cases) {
    test(name, () => expect(shown(planRollout(wanted, current, old))).toBe(steps));
  }
});

describe('another size', () => {
  test('goes to the one set that has pods', () => {
    expect(shown(planScale(deployment(5, 1, 0), set('new', 3, 3), [set('old', 0, 0)]))).toBe('new:5');
    expect(shown(planScale(deployment(5, 1, 0), undefined, [set('older', 0, 0), set('old', 3, 3)]))).toBe('old:5');
    expect(shown(planScale(deployment(5, 1, 0), undefined, [set('older', 0, 0), set('old', 0, 0)]))).toBe('old:5');
  });

  test('is shared in the middle of a rollout', () => {
    const then = { sizedFor: 10, mostThen: 13 };
    const [current, old] = [set('new', 5, 0, then), [set('old', 8, 8, then)]];
    expect(isScaling(deployment(15, 3, 2), [...old, current])).toBe(true);
    expect(shown(planScale(deployment(15, 3, 2), current, old))).toBe('old:11 new:7');
    expect(shown(planScale(deployment(5, 3, 2), current, old))).toBe('old:5 new:3');
    expect(shown(planScale(deployment(0, 3, 2), current, old))).toBe('old:0 new:0');
  });

  test('ends what is left of old sets when the new one is whole', () => {
    const then = { sizedFor: 2, mostThen: 3 };
    expect(shown(planScale(deployment(3, 1, 0), set('new', 3, 3, then), [set('old', 1, 1, then)]))).toBe('old:0');
  });
});
