import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareSources, sourceId } from './source.ts';
import type { Source } from './source.ts';

const base: Source = {
  ref: { kind: 'Ingress', namespace: 'b', name: 'b' },
  config: {},
  priority: 100,
  createdAt: '2026-01-02T00:00:00Z',
};

const wins: { name: string; winner: Partial<Source> }[] = [
  {
    name: 'a lower priority number wins over an older object',
    winner: { priority: 50, createdAt: '2026-01-09T00:00:00Z' },
  },
  { name: 'among equal priorities the older object wins', winner: { createdAt: '2026-01-01T00:00:00Z' } },
  { name: 'then the kind decides', winner: { ref: { kind: 'Gateway', namespace: 'z', name: 'z' } } },
  { name: 'then the namespace', winner: { ref: { kind: 'Ingress', namespace: 'a', name: 'z' } } },
  { name: 'a cluster-wide object stands before a namespaced one', winner: { ref: { kind: 'Ingress', name: 'z' } } },
  { name: 'then the name', winner: { ref: { kind: 'Ingress', namespace: 'b', name: 'a' } } },
];

describe('which source wins', () => {
  for (const { name, winner } of wins) {
    test(name, () => {
      expect(compareSources({ ...base, ...winner }, base)).toBeLessThan(0);
      expect(compareSources(base, { ...base, ...winner })).toBeGreaterThan(0);
    });
  }

  test('the order is total: any shuffle sorts to the same list', () => {
    const source = fc.record({
      ref: fc.record({
        kind: fc.constantFrom('Ingress', 'Tunnel'),
        namespace: fc.constantFrom('a', 'b'),
        name: fc.constantFrom('x', 'y', 'z'),
      }),
      config: fc.constant({}),
      priority: fc.constantFrom(10, 100),
      createdAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
    });
    fc.assert(
      fc.property(fc.uniqueArray(source, { selector: ({ ref }) => sourceId(ref) }), (sources) => {
        const sorted = sources.toSorted(compareSources);
        expect(sources.toReversed().toSorted(compareSources)).toEqual(sorted);
      }),
    );
  });
});

test('a source is named by kind, namespace and name', () => {
  expect(sourceId({ kind: 'Ingress', namespace: 'default', name: 'web' })).toBe('Ingress/default/web');
  expect(sourceId({ kind: 'ClusterTunnel', name: 'main' })).toBe('ClusterTunnel/main');
});
