import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test('versions have the order of the Kubernetes documentation', () => {
  const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  expect(order.toReversed().toSorted(compareVersions)).toEqual(order);
});

test('the order is total', () => {
  const names = fc.oneof(fc.constantFrom('v1', 'v2', 'v1beta1', 'v1alpha2', 'x', 'v'), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(names, names, (a, b) => {
      expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
      expect(compareVersions(a, b) === 0).toBe(a === b);
    }),
  );
});
