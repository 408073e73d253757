import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../object.ts';
import { addFinalizerPatch, hasFinalizer, removeFinalizerPatch, withFinalizer, withoutFinalizer } from './finalizer.ts';
import { metadataPatch } from './metadata-patch.ts';

const object = {
  metadata: {
    name: 'a',
    uid: 'u-1',
    resourceVersion: '7',
    labels: { keep: 'me', old: 'x' },
    finalizers: ['theirs/one', 'ours/two'],
  },
};

describe('a patch of metadata', () => {
  test('names only what changes', () => {
    expect(metadataPatch(object, { labels: { old: null, fresh: 'y', keep: 'me' }, annotations: { n: 'z' } })).toEqual({
      type: 'merge',
      body: { metadata: { labels: { old: null, fresh: 'y' }, annotations: { n: 'z' } } },
    });
  });
  test('is none where nothing changes', () => {
    const same = { labels: { keep: 'me', gone: null }, finalizers: ['theirs/one', 'ours/two'], ownerReferences: [] };
    expect(metadataPatch(object, same, { uid: true, resourceVersion: true })).toBeUndefined();
  });
  test('carries the guards that are asked for', () => {
    expect(metadataPatch(object, { labels: { a: 'b' } }, { uid: true })?.body).toEqual({
      metadata: { uid: 'u-1', labels: { a: 'b' } },
    });
    expect(metadataPatch(object, { labels: { a: 'b' } }, { resourceVersion: true })?.body).toEqual({
      metadata: { resourceVersion: '7', labels: { a: 'b' } },
    });
  });
  test('that replaces a list always carries the resourceVersion', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u-2' }];
    expect(metadataPatch(object, { ownerReferences })?.body).toEqual({
      metadata: { resourceVersion: '7', ownerReferences },
    });
  });
  test('is refused where there is nothing to guard it with', () => {
    expect(() => metadataPatch({ metadata: { name: 'a' } }, { finalizers: ['x'] })).toThrow('resourceVersion');
    expect(() => metadataPatch({ metadata: {} }, { labels: { a: 'b' } }, { uid: true })).toThrow('metadata.uid');
  });
});

describe('a finalizer', () => {
  test('is added to those of others, guarded', () => {
    expect(addFinalizerPatch(object, 'ours/new')).toEqual({
      type: 'merge',
      body: { metadata: { resourceVersion: '7', finalizers: ['theirs/one', 'ours/two', 'ours/new'] } },
    });
  });
  test('is removed alone, guarded', () => {
    expect(removeFinalizerPatch(object, 'ours/two')).toEqual({
      type: 'merge',
      body: { metadata: { resourceVersion: '7', finalizers: ['theirs/one'] } },
    });
  });
  test('that is as it should be costs no patch and no copy', () => {
    expect(addFinalizerPatch(object, 'ours/two')).toBeUndefined();
    expect(removeFinalizerPatch(object, 'ours/none')).toBeUndefined();
    expect(withFinalizer(object, 'ours/two')).toBe(object);
    expect(withoutFinalizer(object, 'ours/none')).toBe(object);
  });
  test('is found where it is', () => {
    expect(hasFinalizer(object, 'ours/two')).toBe(true);
    expect(hasFinalizer({ metadata: {} }, 'ours/two')).toBe(false);
    expect(withFinalizer<KubeObject>({ metadata: {} }, 'ours/two').metadata.finalizers).toEqual(['ours/two']);
  });
});
