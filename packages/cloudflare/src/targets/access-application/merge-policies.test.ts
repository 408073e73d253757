import { describe, expect, test } from 'vitest';
import { mergePolicies, recordOf } from './merge-policies.ts';
import type { AttachedPolicy, WantedPolicies } from './merge-policies.ts';

const rules = { include: [{ everyone: {} }], exclude: [], require: [] };
const staff = { precedence: 1, name: 'staff', decision: 'allow', ...rules };
const none: WantedPolicies = { own: [], shared: [] };

function attached(id: string, name: string, precedence: number, more: object = {}): AttachedPolicy {
  return { id, name, precedence, decision: 'allow', reusable: false, session_duration: '24h', ...rules, ...more };
}

const sharedAt = (id: string, precedence: number): AttachedPolicy =>
  attached(id, `policy ${id}`, precedence, { reusable: true });
const placesOf = (list: readonly object[]): unknown =>
  (list as readonly { id?: string; name?: string; precedence: number }[]).map(({ id, name, precedence }) => [
    id ?? name,
    precedence,
  ]);

describe('policies of an application', () => {
  test('that are there as wanted are left alone, defaults of the API or not', () => {
    const merged = mergePolicies({ own: [staff], shared: [] }, [attached('1', 'staff', 1)], undefined);
    expect(merged).toMatchObject({ changed: false, ids: { staff: '1' } });
  });

  test('are changed where they stand, by their names', () => {
    const wanted = { own: [{ ...staff, decision: 'deny', sessionDuration: '1h' }], shared: [] };
    const { list, changed } = mergePolicies(wanted, [attached('1', 'staff', 1)], undefined);
    expect(changed).toBe(true);
    expect(list).toEqual([{ ...staff, decision: 'deny', session_duration: '1h', id: '1' }]);
  });

  test('of somebody else stay, and make room where one of ours has their place', () => {
    const there = [attached('f1', 'theirs', 1), sharedAt('f2', 2), attached('f3', 'more', 4)];
    const wanted = { own: [staff], shared: [{ id: 's', precedence: 2 }] };
    const { list } = mergePolicies(wanted, there, undefined);
    expect(placesOf(list)).toEqual([
      ['staff', 1],
      ['s', 2],
      ['f1', 3],
      ['f2', 4],
      ['f3', 5],
    ]);
    expect(list.slice(2)).toEqual([
      { id: 'f1', precedence: 3 },
      { id: 'f2', precedence: 4 },
      { id: 'f3', precedence: 5 },
    ]);
  });

  test('of somebody else alone are no reason to write', () => {
    expect(mergePolicies(none, [attached('f1', 'theirs', 1), sharedAt('f2', 2)], undefined).changed).toBe(false);
  });

  test('that were ours and are not wanted any more go', () => {
    const record = recordOf({ own: [staff], shared: [{ id: 's', precedence: 2 }] });
    const there = [attached('1', 'staff', 1), sharedAt('s', 2), sharedAt('f', 3)];
    const { list, changed } = mergePolicies(none, there, record);
    expect(changed).toBe(true);
    expect(placesOf(list)).toEqual([['f', 3]]);
  });

  test('of somebody else with the name of one of ours, twice, stay', () => {
    const there = [attached('1', 'staff', 1), attached('2', 'staff', 5)];
    const { list, changed } = mergePolicies(
      { own: [staff], shared: [] },
      there,
      recordOf({ own: [staff], shared: [] }),
    );
    expect(changed).toBe(false);
    expect(placesOf(list)).toEqual([
      ['1', 1],
      ['2', 5],
    ]);
  });

  test('that are shared are put at another place without being written to', () => {
    const { list, changed } = mergePolicies(
      { own: [], shared: [{ id: 's', precedence: 9 }] },
      [sharedAt('s', 2)],
      undefined,
    );
    expect([list, changed]).toEqual([[{ id: 's', precedence: 9 }], true]);
  });
});
