import { describe, expect, test } from 'vitest';
import { decodeExpectedMetadata, encodeExpectedMetadata } from './expected-metadata.ts';

describe('expected metadata', () => {
  test('nothing is e30=', () => {
    expect(encodeExpectedMetadata({})).toBe('e30=');
    expect(encodeExpectedMetadata({ labels: {}, annotations: {}, taints: [] })).toBe('e30=');
  });

  test('is written as Go writes it: labels first, keys sorted, markup escaped', () => {
    const text = encodeExpectedMetadata({
      annotations: { note: 'a<b>&c' },
      labels: { b: '2', a: '1' },
      taints: [{ key: 'k', effect: 'NoSchedule' }],
    });
    expect(Buffer.from(text, 'base64').toString()).toBe(
      String.raw`{"labels":{"a":"1","b":"2"},"annotations":{"note":"a\u003cb\u003e\u0026c"},"taints":[{"key":"k","effect":"NoSchedule"}]}`,
    );
  });

  test('comes back as it went', () => {
    const value = { labels: { a: '1' }, annotations: { note: 'a<b>&c' } };
    expect(decodeExpectedMetadata(encodeExpectedMetadata(value))).toEqual({ ok: true, value });
  });

  test('missing is empty', () => expect(decodeExpectedMetadata(undefined)).toEqual({ ok: true, value: {} }));

  const broken = [
    { name: 'invalid base64', text: '!!!' },
    { name: 'invalid JSON', text: Buffer.from('{labels').toString('base64') },
    { name: 'another value than an object', text: Buffer.from('[1]').toString('base64') },
  ];
  for (const { name, text } of broken) {
    test(`${name} is refused`, () =>
      expect(decodeExpectedMetadata(text)).toMatchObject({ ok: false, reason: 'Invalid' }));
  }
});
