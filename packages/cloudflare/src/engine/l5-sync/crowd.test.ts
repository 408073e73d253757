import { expect, test } from 'vitest';
import { createCrowd } from './crowd.ts';

test('those that look and those that have changed may still look together; each is counted once', () => {
  const crowd = createCrowd(() => ['a', 'b', 'c']);
  const a = crowd.enter('zone', 'a');
  crowd.enter('zone', 'seen-before');
  expect(crowd.looking('zone')).toBe(4);
  a.looks();
  expect(crowd.looking('zone')).toBe(3);
  expect(crowd.writing('zone')).toBe(1);
  a.isThrough();
  expect(crowd.writing('zone')).toBe(0);
});

test('who has left is counted no more, and cannot come back by a late word', () => {
  const crowd = createCrowd(() => []);
  const a = crowd.enter('zone', 'a');
  a.leave();
  a.looks();
  expect([crowd.looking('zone'), crowd.writing('zone')]).toEqual([0, 0]);
});

test('scopes do not wait for each other', () => {
  const crowd = createCrowd((scope) => (scope === 'zone' ? ['x'] : []));
  crowd.enter('other', 'y');
  expect([crowd.looking('zone'), crowd.looking('other')]).toEqual([1, 1]);
});
