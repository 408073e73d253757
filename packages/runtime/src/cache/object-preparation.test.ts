import { describe, expect, test } from 'vitest';
import type { AnyObject } from '../object.ts';
import { createPreparation } from './object-preparation.ts';
import type { PreparationOptions } from './object-preparation.ts';
import { widget, widgetKind } from './testing/widget.ts';

function createPrepare(options: Partial<PreparationOptions<AnyObject>> = {}) {
  const errors: unknown[] = [];
  const prepare = createPreparation({ kind: widgetKind, onListenerError: (error) => errors.push(error), ...options });
  return { prepare, errors };
}

describe('what is stored', () => {
  test('has no managed fields, and their key is kept so that objects keep one shape', () => {
    const { prepare } = createPrepare();
    const { metadata } = prepare(widget('a', '1', { managedFields: [{ manager: 'kubectl' }] }));
    expect(metadata.managedFields).toBeUndefined();
    expect(Object.keys(metadata)).toContain('managedFields');
  });

  test('is what a transform makes of it', () => {
    const { prepare } = createPrepare({ transform: ({ metadata }) => ({ metadata }) });
    expect(prepare(widget('a', '1', { spec: 'large' }))).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace: 'default', uid: 'uid-a', resourceVersion: '1' },
    });
  });

  test('is the object as it came when the transform throws, which is reported', () => {
    const { prepare, errors } = createPrepare({
      transform: () => {
        throw new Error('transform');
      },
    });
    expect(prepare(widget('a', '1', { spec: 1 }))).toEqual(widget('a', '1', { spec: 1 }));
    expect(errors).toEqual([new Error('transform')]);
  });

  test('says its kind even when the list that brought it did not', () => {
    const { prepare } = createPrepare();
    const object = prepare({ metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1' } });
    expect(object).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Widget' });
  });

  test('keeps a kind that differs from the one asked for', () => {
    const { prepare } = createPrepare();
    expect(prepare({ ...widget('a', '1'), apiVersion: 'example.com/v2' }).apiVersion).toBe('example.com/v2');
  });

  test('cannot be changed when freezing is on', () => {
    const { prepare } = createPrepare({ freeze: true });
    const object = prepare(widget('a', '1', { labels: { app: 'x' }, spec: { list: [{ deep: 1 }] } })) as unknown as {
      metadata: { labels: Record<string, string> };
      spec: { list: { deep: number }[] };
    };
    expect(() => (object.metadata.labels['app'] = 'y')).toThrow(TypeError);
    expect(() => (object.spec.list[0]!.deep = 2)).toThrow(TypeError);
  });
});
