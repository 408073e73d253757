import { describe, expect, test } from 'vitest';
import { holderOf } from './claims.ts';
import { finalizer, isCopy, memoryAnnotation, memoryOf, toAnnotation } from './memory.ts';
import type { EipObject } from './resource.ts';
import { matters } from './wake.ts';
import { anObject } from './testing/eip-world.ts';

const withNote = (text: string): EipObject => anObject({ annotations: { [memoryAnnotation]: text } });

describe('the memory', () => {
  test('is read back as it was written', () => {
    const memory = { ownership: 'created', allocationID: 'eip-1', tagKeys: ['a'] } as const;
    expect(memoryOf(withNote(toAnnotation(memory, 'uid-1')))).toEqual(memory);
  });

  test.each([
    '',
    'x',
    '{}',
    '[]',
    'null',
    '{"uid":"uid-1"}',
    '{"uid":"uid-1","ownership":"stolen"}',
    '{"uid":7,"ownership":"created"}',
  ])('that makes no sense counts as none: %s', (text) => expect(memoryOf(withNote(text))).toBe(undefined));

  test('of another object is not inherited', () => {
    const copied = withNote(toAnnotation({ ownership: 'created', allocationID: 'eip-1' }, 'uid-0'));
    expect([memoryOf(copied), isCopy(copied)]).toEqual([undefined, true]);
  });
});

describe('of several that name one address', () => {
  const claim = (uid: string, createdAt: string, holds: boolean): EipObject => {
    const { metadata, spec } = anObject({ spec: { allocationID: 'eip-1' } });
    const memory = toAnnotation({ ownership: 'adopted', allocationID: 'eip-1' }, uid);
    const annotations: Record<string, string> = holds ? { [memoryAnnotation]: memory } : {};
    return { spec, metadata: { ...metadata, uid, name: uid, creationTimestamp: createdAt, annotations } };
  };
  test.each([
    ['the older gets it', claim('a', '2026-01-01', false), claim('b', '2026-01-02', false), [undefined, 'default/a']],
    ['who has it keeps it', claim('a', '2026-01-01', false), claim('b', '2026-01-02', true), ['default/b', undefined]],
    [
      'in one second the uid decides',
      claim('a', '2026-01-01', false),
      claim('b', '2026-01-01', false),
      [undefined, 'default/a'],
    ],
  ])('%s', (_, one, other, holders) => {
    expect([holderOf(one, [one, other]), holderOf(other, [one, other])]).toEqual(holders);
  });
});

describe('what wakes the operator', () => {
  const note = (text: string): Record<string, string> => ({ [memoryAnnotation]: text });
  const id = toAnnotation({ ownership: 'created', allocationID: 'eip-1' }, 'uid-1');
  const rows: readonly [string, EipObject, EipObject, boolean][] = [
    ['an edit of the spec', anObject(), anObject({ spec: { bandwidth: '6' } }), true],
    ['an annotation of a person', anObject(), anObject({ annotations: { a: 'b' } }), true],
    ['a deletion', anObject(), anObject({ deletedAgoMs: 0 }), true],
    ['another id in the spec', anObject(), anObject({ spec: { allocationID: 'eip-9' } }), true],
    ['our memory and finalizer', anObject(), anObject({ annotations: note('x'), finalizers: [finalizer] }), false],
    [
      'our id in the spec',
      anObject({ annotations: note(id) }),
      anObject({ annotations: note(id), spec: { allocationID: 'eip-1' } }),
      false,
    ],
    ['our status', anObject(), anObject({ status: { status: 'InUse' } }), false],
    [
      'our memory, wiped',
      anObject({ annotations: note(id), finalizers: [finalizer] }),
      anObject({ finalizers: [finalizer] }),
      true,
    ],
    [
      'our finalizer, taken away',
      anObject({ annotations: note(id), finalizers: [finalizer] }),
      anObject({ annotations: note(id) }),
      true,
    ],
  ];
  test.each(rows)('%s: %#', (_, old, object, wakes) => {
    expect(matters({ type: 'updated', old, object, initial: false })).toBe(wakes);
  });
});
