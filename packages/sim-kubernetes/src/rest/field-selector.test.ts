import { describe, expect, test } from 'vitest';
import { riverType } from '../http/testing/test-api.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { parseFieldSelector } from './field-selector.ts';

const object = { metadata: { name: 'a', namespace: 'ns' }, spec: { name: 'x,y=z' } } as unknown as StoredObject;

describe('a field selector', () => {
  test.each([
    ['metadata.name=a', true],
    ['metadata.name==a', true],
    ['metadata.name!=a', false],
    ['metadata.name=a,metadata.namespace=ns', true],
    ['metadata.name=a,metadata.namespace=other', false],
    ['spec.name=x\\,y\\=z', true],
    ['spec.name!=', true],
  ])('%s: %s', (selector, matches) => {
    expect(parseFieldSelector(selector, riverType)?.(object)).toBe(matches);
  });

  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['metadata.name=a\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['spec.length=1', 'field label not supported: spec.length'],
  ])('%s is refused', (selector, message) => {
    expect(() => parseFieldSelector(selector, riverType)).toThrow(message);
  });

  test('of a built-in kind without fields of its own names the two that there are', () => {
    const plain: ResourceType = { ...riverType, origin: 'builtin', strategy: {} };
    expect(() => parseFieldSelector('spec.name=a', plain)).toThrow(
      '"spec.name" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test('that is empty selects everything', () => {
    expect(parseFieldSelector('', riverType)).toBeUndefined();
  });
});
