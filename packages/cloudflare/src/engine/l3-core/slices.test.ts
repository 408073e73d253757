import { expect, test } from 'vitest';
import type { SyncState } from '../l4-state/sync-state.ts';
import { atSlice, baseNameOf, nextSlice } from './slices.ts';
import type { SliceHead } from './slices.ts';

const label = 'cloudflare-operator.io/slice-of';
const long = `dns-record-${'a'.repeat(50)}-${'b'.repeat(50)}-0123456789`;
const head = (name: string): SliceHead => ({ name, labels: {} }) as unknown as SliceHead;
const stored = ({ name, labels, slice }: SliceHead): SyncState =>
  ({ metadata: { name, labels }, spec: { slice } }) as unknown as SyncState;

test('a slice is found by its name, however long that is, and its label is one that a server takes', () => {
  const third = nextSlice(nextSlice(nextSlice(head(long))));
  expect(third.name).toBe(`${long}-s3`);
  expect(baseNameOf(stored(third))).toBe(long);
  expect(third.labels[label]).toMatch(/^[a-z0-9][-a-z0-9]{0,61}[a-z0-9]$/u);
  expect(baseNameOf(stored(atSlice(third, 0)))).toBe(long);
});

test('the label never ends where a name has a dash', () => {
  const name = `${'a'.repeat(62)}-tail`;
  expect(nextSlice(head(name)).labels[label]).toBe('a'.repeat(62));
});

test('a first one whose name looks like that of a slice is its own', () => {
  expect(baseNameOf(stored(head('queue-s1')))).toBe('queue-s1');
});
