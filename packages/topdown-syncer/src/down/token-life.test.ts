import { describe, expect, test } from 'vitest';
import { refreshAtMs, tokenLife } from './token-life.ts';

const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
const never = (): number => 0;

describe('the life of a token', () => {
  test('is what it says', () =>
    expect(tokenLife(jwt({ iat: 100, exp: 700 }))).toEqual({ issuedMs: 100_000, expiresMs: 700_000 }));
  test('ends when it is warned about, where it lives on in secret', () =>
    expect(tokenLife(jwt({ iat: 0, exp: 31_536_000, 'kubernetes.io': { warnafter: 3607 } }))?.expiresMs).toBe(
      3_607_000,
    ));
  for (const token of ['', 'opaque', 'a.b.c', jwt({ iat: 'x' })]) {
    test(`of ${token.slice(0, 12) || 'nothing'} is unknown`, () => expect(tokenLife(token)).toBeUndefined());
  }
});

describe('a token is refreshed', () => {
  const hour = 3_600_000;
  test('after four fifths of its life', () =>
    expect(refreshAtMs({ issuedMs: 0, expiresMs: hour }, never)).toBe(0.8 * hour));
  test('after a day at most', () => expect(refreshAtMs({ issuedMs: 0, expiresMs: 48 * hour }, never)).toBe(24 * hour));
  test('up to ten seconds earlier, at random', () =>
    expect(refreshAtMs({ issuedMs: 0, expiresMs: hour }, () => 1)).toBe(0.8 * hour - 10_000));
});
