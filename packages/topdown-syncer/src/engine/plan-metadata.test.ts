import { describe, expect, test } from 'vitest';
import { encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import { planMetadata } from './plan-metadata.ts';

const key = 'kubeocean.io/expected-metadata';
const encoded = (labels: Record<string, string>): string => encodeExpectedMetadata({ labels });

type Case = {
  name: string;
  wanted: Record<string, string>;
  previous: Record<string, string>;
  actual: Record<string, string>;
  labels: Record<string, string | null>;
};

const cases: Case[] = [
  { name: 'a new key is added', wanted: { a: '1' }, previous: {}, actual: {}, labels: { a: '1' } },
  {
    name: 'a changed key is written',
    wanted: { a: '2' },
    previous: { a: '1' },
    actual: { a: '1' },
    labels: { a: '2' },
  },
  {
    name: 'a key that V took away goes',
    wanted: {},
    previous: { a: '1' },
    actual: { a: '1', b: '2' },
    labels: { a: null },
  },
  {
    name: 'W6: what P changed stays as long as V says the same',
    wanted: { a: '1' },
    previous: { a: '1' },
    actual: { a: 'p' },
    labels: {},
  },
  { name: 'a key that P has of its own stays', wanted: {}, previous: {}, actual: { p: '1' }, labels: {} },
  {
    name: 'what P has already is not written',
    wanted: { a: '2' },
    previous: { a: '1' },
    actual: { a: '2' },
    labels: {},
  },
  {
    name: 'all at once',
    wanted: { a: '2', c: '3' },
    previous: { a: '1', b: '1' },
    actual: { a: '1', b: '1', p: 'x' },
    labels: { a: '2', c: '3', b: null },
  },
];

describe('labels and annotations', () => {
  for (const { name, wanted, previous, actual, labels } of cases) {
    test(name, () => {
      const plan = planMetadata(
        { labels: wanted, annotations: {} },
        { labels: actual, annotations: { [key]: encoded(previous) } },
      );
      const same = encoded(wanted) === encoded(previous);
      expect(plan).toEqual(
        same && Object.keys(labels).length === 0
          ? undefined
          : { labels, annotations: same ? {} : { [key]: encoded(wanted) } },
      );
    });
  }

  test('a pod that nobody recorded anything on is left alone', () => {
    expect(planMetadata({ labels: { a: '1' }, annotations: {} }, {}, { onlyIfKnown: true })).toBeUndefined();
  });

  test('a record that cannot be read takes nothing away and is written anew', () => {
    const plan = planMetadata(
      { labels: { a: '1' }, annotations: {} },
      { labels: { b: '2' }, annotations: { [key]: '!!!' } },
    );
    expect(plan).toEqual({ labels: { a: '1' }, annotations: { [key]: encoded({ a: '1' }) } });
  });
});
