import { describe, expect, test } from 'vitest';
import { createSanitise, secretsInBody } from './sanitise.ts';

const sanitise = createSanitise(['abcdef', 'abcdef-longer', 'tiny']);

describe('secrets leave a text', () => {
  const cases = [
    ['the credential itself', 'token abcdef-longer is bad, abcdef too', 'token [redacted] is bad, [redacted] too'],
    ['a bearer', 'header Bearer q1w2e3r4t5 was refused', 'header Bearer [redacted] was refused'],
    ['an authorization header', 'Authorization: q1w2e3r4t5', 'Authorization: [redacted]'],
    ['a key header', '"X-Auth-Key": "0123456789"', '"X-Auth-Key": "[redacted]"'],
    ['a tunnel secret', '{"tunnel_secret":"AQIDBAUGBwgBAgMEBQYHCA=="}', '{"tunnel_secret":"[redacted]"}'],
    ['a tunnel token', 'run eyJhIjoiYWNjb3VudCIsInQiOiJ0dW5uZWwifQ== now', 'run [redacted] now'],
    ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[redacted]'],
  ] as const;
  for (const [name, text, expected] of cases) test(name, () => expect(sanitise(text)).toBe(expected));
});

test('what the API says stays readable', () => {
  const texts = [
    'Invalid API Token',
    'Authentication error (10000): token lacks permission: dns:edit',
    'Content for A record must be a valid IPv4 address.',
    'the tiny record is bad',
  ];
  for (const text of texts) expect(sanitise(text)).toBe(text);
});

test('a long text is cut', () => expect(sanitise('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}…`));

test('the secrets of a body are found by their names, however deep', () => {
  const body = {
    name: 'web',
    tunnel_secret: 'S1',
    config: { 'client-secret': 'S2', list: [{ token: 'S3' }] },
    secret: { a: 'S4', n: 5 },
  };
  expect(secretsInBody(JSON.stringify(body))).toEqual(['S1', 'S2', 'S3', 'S4']);
  const env = { A: { type: 'secret_text', value: 'hidden' }, B: { type: 'plain_text', value: 'open' } };
  expect(secretsInBody(JSON.stringify({ env_vars: env }))).toContain('hidden');
  expect(secretsInBody(JSON.stringify({ env_vars: env }))).not.toContain('open');
  expect(secretsInBody('no JSON')).toEqual([]);
  expect(secretsInBody(undefined)).toEqual([]);
});
