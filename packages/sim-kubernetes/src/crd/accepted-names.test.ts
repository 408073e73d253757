import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../registry/json.ts';
import { decideNames } from './accepted-names.ts';
import { setCondition } from './crd-conditions.ts';

const crd = (names: JsonObject, acceptedNames?: JsonObject, group = 'a.test'): JsonObject => ({
  spec: { group, names },
  status: acceptedNames === undefined ? {} : { acceptedNames },
});
const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };

describe('the names of a CRD', () => {
  test('are all accepted when nobody else has them', () => {
    const decision = decideNames(crd({ ...names, shortNames: ['t'], categories: ['all'] }), []);
    expect(decision.acceptedNames).toEqual({ ...names, shortNames: ['t'], categories: ['all'] });
    expect(decision.namesAccepted).toEqual({
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
  });

  test('of another group do not matter', () => {
    expect(decideNames(crd(names), [crd(names, names, 'b.test')]).namesAccepted.status).toBe('True');
  });

  test('that were accepted stay so', () => {
    expect(decideNames(crd(names, names), [crd(names, names)]).namesAccepted.status).toBe('True');
  });

  test.each([
    [
      'a plural that is a short name elsewhere',
      { plural: 'others', kind: 'Other', shortNames: ['things'] },
      'PluralConflict',
      '"things" is already in use',
    ],
    ['a kind', { plural: 'others', kind: 'Thing' }, 'KindConflict', '"Thing" is already in use'],
    ['a list kind', { plural: 'others', kind: 'ThingList' }, 'ListKindConflict', '"ThingList" is already in use'],
    ['a singular', { plural: 'thing', kind: 'Other' }, 'SingularConflict', '"thing" is already in use'],
    [
      'short names',
      { plural: 's', kind: 'Other', shortNames: ['t'] },
      'ShortNamesConflict',
      '["s" is already in use, "t" is already in use]',
    ],
  ])('%s in use is refused, and the rest accepted', (_, taken, reason, message) => {
    const { namesAccepted, acceptedNames } = decideNames(crd({ ...names, shortNames: ['s', 't'] }), [crd({}, taken)]);
    expect(namesAccepted).toEqual({ type: 'NamesAccepted', status: 'False', reason, message });
    expect(Object.values(acceptedNames).filter((name) => name !== '')).toHaveLength(4);
  });
});

describe('a condition', () => {
  const first = { type: 'A', status: 'True', reason: 'R', message: 'm' };

  test('gets a time when it appears and keeps it until its status changes', () => {
    const once = setCondition([], first, '1');
    expect(once).toEqual([{ ...first, lastTransitionTime: '1' }]);
    const again = setCondition(once, { ...first, reason: 'Other' }, '2');
    expect(again).toEqual([{ ...first, reason: 'Other', lastTransitionTime: '1' }]);
    expect(setCondition(again, { ...first, status: 'False' }, '3')).toEqual([
      { ...first, status: 'False', lastTransitionTime: '3' },
    ]);
  });

  test('leaves the others alone', () => {
    const other = { type: 'B', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '0' };
    expect(setCondition([other], first, '1')).toEqual([other, { ...first, lastTransitionTime: '1' }]);
  });
});
