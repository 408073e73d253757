import { expect, test } from 'vitest';
import { renewalOf } from './renewal.ts';

const day = 24 * 3_600_000;
const end = Date.parse('2027-01-01T00:00:00Z');
const expires = { expires_at: '2027-01-01T00:00:00Z' };

test.each([
  ['a month before the end of a long life', { duration: '8760h', ...expires }, end - 30 * day],
  ['after four fifths of a short one', { duration: '24h', ...expires }, end - 0.2 * day],
  ['a month before where nobody knows how long it is', { ...expires }, end - 30 * day],
  ['never, where there is no end', { duration: 'forever', ...expires }, undefined],
  ['never, where nobody tells the end', { duration: '24h' }, undefined],
  ['never, where the end makes no sense', { duration: '24h', expires_at: 'soon' }, undefined],
])('a token is renewed %s', (_name, token, at) => {
  expect(renewalOf(token).at).toBe(at);
});
