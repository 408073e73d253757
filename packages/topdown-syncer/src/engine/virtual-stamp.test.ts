import { describe, expect, test } from 'vitest';
import { isHeld, releasePatch, stampPatch } from './virtual-stamp.ts';

const place = { namespace: 'mount', name: 'x-hash' };
const full = {
  labels: { 'kubeocean.io/managed-by': 'kubeocean', 'kubeocean.io/synced-by-cls-a': 'true' },
  annotations: { 'kubeocean.io/physical-name': 'x-hash', 'kubeocean.io/physical-namespace': 'mount' },
  finalizers: ['kubeocean.io/finalizer-cls-a'],
};
type Meta = { labels?: Record<string, string>; annotations?: Record<string, string>; finalizers?: string[] };
const stamp = (metadata: Meta, usedByPv = false): unknown =>
  stampPatch({ metadata: { resourceVersion: '1', ...metadata } }, { clusterId: 'cls-a', place, usedByPv })?.body;

describe("V's object", () => {
  test('that another binding holds is not held by us', () => {
    expect(isHeld({ metadata: full }, 'cls-a')).toBe(true);
    expect(isHeld({ metadata: { ...full, labels: {} } }, 'cls-a')).toBe(true);
    expect(isHeld({ metadata: { ...full, finalizers: [] } }, 'cls-a')).toBe(true);
    expect(isHeld({ metadata: full }, 'cls-b')).toBe(false);
  });

  test('with everything on it is not written', () => expect(stamp(full)).toBeUndefined());

  const missing: { name: string; metadata: Meta; usedByPv?: boolean; patch: object }[] = [
    {
      name: 'a label',
      metadata: { ...full, labels: { 'kubeocean.io/managed-by': 'kubeocean' } },
      patch: { labels: { 'kubeocean.io/synced-by-cls-a': 'true' } },
    },
    { name: 'an annotation', metadata: { ...full, annotations: {} }, patch: { annotations: full.annotations } },
    {
      name: 'the finalizer',
      metadata: { ...full, finalizers: ['a/b'] },
      patch: { resourceVersion: '1', finalizers: ['a/b', 'kubeocean.io/finalizer-cls-a'] },
    },
    {
      name: 'that a volume uses it',
      metadata: full,
      usedByPv: true,
      patch: { labels: { 'kubeocean.io/used-by-pv': 'true' } },
    },
  ];
  for (const { name, metadata, usedByPv, patch } of missing) {
    test(`without ${name} is given it`, () => expect(stamp(metadata, usedByPv)).toEqual({ metadata: patch }));
  }

  test('W3: a physical name that a user set is overwritten', () => {
    const annotations = { ...full.annotations, 'kubeocean.io/physical-name': 'mine' };
    expect(stamp({ ...full, annotations })).toEqual({
      metadata: { annotations: { 'kubeocean.io/physical-name': 'x-hash' } },
    });
  });

  test('W7: the physical name of another binding is left, so that two never fight over it', () => {
    const annotations = { ...full.annotations, 'kubeocean.io/physical-namespace': 'theirs' };
    expect(
      stamp({ ...full, annotations, finalizers: [...full.finalizers, 'kubeocean.io/finalizer-cls-b'] }),
    ).toBeUndefined();
  });

  test("W14: the namespace of a volume's copy is there and empty", () => {
    const body = stampPatch(
      { metadata: { resourceVersion: '1' } },
      { clusterId: 'cls-a', place: { name: 'pv-hash' }, usedByPv: false },
    )?.body;
    expect(body).toMatchObject({ metadata: { annotations: { 'kubeocean.io/physical-namespace': '' } } });
  });

  test('is let go by the last binding without a trace', () => {
    const metadata = {
      resourceVersion: '1',
      ...full,
      annotations: { ...full.annotations, 'kubeocean.io/deleting-cls-a': 'worker1' },
    };
    expect(releasePatch({ metadata }, 'cls-a')?.body).toEqual({
      metadata: {
        resourceVersion: '1',
        labels: { 'kubeocean.io/managed-by': null, 'kubeocean.io/synced-by-cls-a': null },
        annotations: {
          'kubeocean.io/physical-name': null,
          'kubeocean.io/physical-namespace': null,
          'kubeocean.io/deleting-cls-a': null,
        },
        finalizers: [],
      },
    });
  });

  test('W7: is let go by one of several bindings with what the others need left on it', () => {
    const metadata = {
      resourceVersion: '1',
      ...full,
      finalizers: [...full.finalizers, 'kubeocean.io/finalizer-cls-b'],
    };
    expect(releasePatch({ metadata }, 'cls-a')?.body).toEqual({
      metadata: {
        resourceVersion: '1',
        labels: { 'kubeocean.io/synced-by-cls-a': null },
        finalizers: ['kubeocean.io/finalizer-cls-b'],
      },
    });
  });

  test('with nothing of ours on it is not written', () =>
    expect(releasePatch({ metadata: {} }, 'cls-a')).toBeUndefined());
});
