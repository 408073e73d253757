import { expect, test } from 'vitest';
import { riverType } from '../http/testing/test-api.ts';
import { createRegistry } from './registry.ts';
import type { ResourceType } from './resource-type.ts';

const version = (name: string, more: Partial<ResourceType> = {}): ResourceType => ({
  ...riverType,
  version: name,
  ...more,
});

test('kinds are found by path and by kind, and versions come with the most stable first', () => {
  const registry = createRegistry([version('v1alpha1'), version('v2'), version('v1'), version('v10beta1')]);
  expect(registry.find('x.test', 'v1', 'rivers')?.version).toBe('v1');
  expect(registry.findKind('x.test', 'v2', 'River')?.plural).toBe('rivers');
  expect(registry.find('x.test', 'v3', 'rivers')).toBeUndefined();
  expect(registry.all().map((type) => type.version)).toEqual(['v2', 'v1', 'v10beta1', 'v1alpha1']);
});

test('objects are stored as the version that says so, or else as the most stable', () => {
  const registry = createRegistry([version('v1'), version('v2')]);
  expect(registry.storageType('x.test', 'rivers')?.version).toBe('v2');
  registry.add(version('v1', { storageVersion: true }));
  expect(registry.storageType('x.test', 'rivers')?.version).toBe('v1');
});

test('all versions of a resource are replaced at once, with one notice', () => {
  const registry = createRegistry([version('v1'), version('v2')]);
  let notices = 0;
  const leave = registry.onChange(() => notices++);
  const before = registry.generation();
  registry.set('x.test', 'rivers', [version('v3')]);
  expect([notices, registry.generation() - before]).toEqual([1, 1]);
  expect(registry.all().map((type) => type.version)).toEqual(['v3']);
  leave();
  registry.set('x.test', 'rivers', []);
  expect(notices).toBe(1);
  expect([registry.hasGroup('x.test'), registry.hasGroupVersion('x.test', 'v3')]).toEqual([false, false]);
});
