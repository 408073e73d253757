import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMarkOf, readMark, withMark, withoutMark } from './ownership-mark.ts';

const owner = { kind: 'DNSRecord', namespace: 'default', name: 'app' };

describe('writing a mark', () => {
  const cases = [
    { name: 'stands behind the text', text: 'mine', is: 'mine [managed-by:DNSRecord/default/app]' },
    { name: 'stands alone without text', text: '', is: '[managed-by:DNSRecord/default/app]' },
  ];
  for (const { name, text, is } of cases) {
    test(name, () => expect(withMark(text, owner, 100)).toEqual({ ok: true, text: is }));
  }

  test('names its owner by hash where the field is too short', () => {
    const long = { kind: 'DNSRecord', namespace: 'a-long-namespace', name: 'a-rather-long-name' };
    expect(withMark('mine', long, 45)).toEqual({ ok: true, text: 'mine [managed-by:DNSRecord/#75a1a950a8]' });
  });

  test('a cluster-wide owner keeps the empty place of its namespace', () => {
    expect(withMark('', { kind: 'VirtualNetwork', name: 'lab' }, 100)).toEqual({
      ok: true,
      text: '[managed-by:VirtualNetwork//lab]',
    });
  });

  test("the user's text is never cut: what does not fit is said in characters", () => {
    expect(withMark('x'.repeat(90), owner, 100)).toEqual({ ok: false, overBy: 25 });
  });

  test('characters count as people count them', () => {
    expect(withMark('🚀'.repeat(10), owner, 10 + 1 + 34)).toMatchObject({ ok: true });
  });
});

describe('reading a mark', () => {
  const object = (kind: string, namespace: string | undefined, name: string) => ({
    kind: 'object',
    owner: namespace === undefined ? { kind, name } : { kind, namespace, name },
  });
  const cases = [
    { text: 'x [managed-by:RedirectRule/default/my-redirect]', is: object('RedirectRule', 'default', 'my-redirect') },
    { text: '[managed-by:VirtualNetwork//lab]', is: object('VirtualNetwork', undefined, 'lab') },
    { text: '[managed:NetworkRoute/office] my office', is: object('NetworkRoute', undefined, 'office') },
    { text: '[managed:PrivateService/prod/db] text', is: object('PrivateService', 'prod', 'db') },
    { text: 'Managed by cloudflare-operator', is: { kind: 'operator' } },
    { text: 'Managed by cloudflare-operator IngressAutomatic: shop/web', is: object('Ingress', 'shop', 'web') },
    { text: 'Managed by cloudflare-operator Gateway infra/edge', is: object('Gateway', 'infra', 'edge') },
    { text: 'Managed by Gateway infra/edge', is: object('Gateway', 'infra', 'edge') },
    { text: 'Managed by hand, do not touch', is: undefined },
    { text: '[managed:broken]', is: undefined },
    { text: '[managed-by:a/b/c/d]', is: undefined },
    { text: '[managed-by://]', is: undefined },
    { text: '', is: undefined },
    { text: null, is: undefined },
  ];
  for (const { text, is } of cases) test(`${text}`, () => expect(readMark(text)).toEqual(is));
});

test('what was written is read back as the same owner and the same text', () => {
  const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,60}[a-z0-9])?$/);
  const ref = fc.record({
    kind: fc.constantFrom('DNSRecord', 'VirtualNetwork'),
    namespace: fc.option(part, { nil: undefined }),
    name: part,
  });
  const text = fc
    .string({ maxLength: 60 })
    .filter((value) => !value.includes('[managed') && value.trim() === value && !value.startsWith('Managed by'));
  fc.assert(
    fc.property(ref, text, fc.integer({ min: 40, max: 500 }), (mine, userText, max) => {
      const written = withMark(userText, mine, max);
      if (!written.ok) return;
      const mark = readMark(written.text);
      expect(mark && isMarkOf(mark, mine)).toBe(true);
      expect(mark && isMarkOf(mark, { ...mine, name: `${mine.name}x` })).toBe(false);
      expect(withoutMark(written.text)).toBe(userText);
    }),
  );
});
