import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import { rewriteDuration, rewriteExpression } from './rewrite-expression.ts';

const rule = { name: 'no games', action: 'block', filters: ['dns'], traffic: 'any(dns.domains[*] in $games)' };

describe('what the service makes of a text', () => {
  const rows = [
    ['any( dns.domains[*]   in  { "a  b" "c" } )', 'any(dns.domains[*] in {"a  b" "c"})'],
    ['http.host == "x" AND NOT http.host == "AND"', 'http.host == "x" and not http.host == "AND"'],
  ] as const;
  for (const [given, expected] of rows) test(given, () => expect(rewriteExpression(given)).toBe(expected));

  const durations = [
    ['24h', '24h0m0s'],
    ['90s', '1m30s'],
    ['5m', '5m0s'],
    ['soon', 'soon'],
  ] as const;
  for (const [given, expected] of durations)
    test(`${given} → ${expected}`, () => expect(rewriteDuration(given)).toBe(expected));
});

describe('rules', () => {
  test('are disabled unless told otherwise, rewritten, and have a precedence of their own', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/gateway/rules`;
    const settings = { check_session: { enforce: true, duration: '24h' } };
    const { result } = await call('POST', path, { ...rule, traffic: 'http.host  ==  "x"', rule_settings: settings });
    expect(result).toMatchObject({
      enabled: false,
      traffic: 'http.host == "x"',
      precedence: 1000,
      version: 1,
      rule_settings: { check_session: { duration: '24h0m0s' } },
    });
    expect((await call('POST', path, rule)).result.precedence).toBe(2000);
    expect((await call('POST', path, { ...rule, precedence: 1000 })).codes).toEqual([2089]);
    const changed = await call('PUT', `${path}/${result.id}`, { ...rule, precedence: 1000, enabled: true });
    expect(changed.result).toMatchObject({ version: 2, enabled: true, precedence: 1000 });
    expect(changed.result.rule_settings).toBeUndefined();
  });

  test('of an unknown action or filter are refused; a deleted one is not found', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/gateway/rules`;
    expect((await call('POST', path, { ...rule, action: 'shout' })).codes).toEqual([2087]);
    expect((await call('POST', path, { ...rule, filters: ['dns', 'http'] })).codes).toEqual([2088]);
    expect((await call('POST', path, { ...rule, name: '' })).codes).toEqual([2010]);
    const { id } = (await call('POST', path, rule)).result;
    await call('DELETE', `${path}/${id}`);
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: 404, codes: [2014] });
  });
});

describe('lists', () => {
  test('tell how many items they hold, and the items page by page', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/gateway/lists`;
    const items = [
      { value: 'A.example.com', description: 'one' },
      { value: 'a.example.com' },
      { value: 'b.example.com' },
    ];
    const { result } = await call('POST', path, { name: 'hosts', type: 'DOMAIN', items });
    expect(result).toMatchObject({ count: 2, type: 'DOMAIN' });
    expect(result.items).toBeUndefined();
    const page = await call('GET', `${path}/${result.id}/items?per_page=1&page=2`);
    expect(page.result).toMatchObject([{ value: 'b.example.com' }]);
  });

  test('a PUT without items leaves them, one with items replaces them, PATCH adds and removes', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/gateway/lists`;
    const { id } = (await call('POST', path, { name: 'ips', type: 'IP', items: [{ value: '192.0.2.1' }] })).result;
    const values = async (): Promise<string[]> =>
      ((await call('GET', `${path}/${id}/items`)).result as { value: string }[]).map(({ value }) => value);
    await call('PUT', `${path}/${id}`, { name: 'addresses', items: [] });
    expect(await values()).toEqual(['192.0.2.1']);
    await call('PATCH', `${path}/${id}`, { append: [{ value: '192.0.2.2' }], remove: ['192.0.2.1'] });
    expect(await values()).toEqual(['192.0.2.2']);
    await call('PUT', `${path}/${id}`, { name: 'addresses', items: [{ value: '192.0.2.3' }] });
    expect(await values()).toEqual(['192.0.2.3']);
    await call('PATCH', `${path}/${id}`, { remove: ['192.0.2.3'] });
    expect(await values()).toEqual([]);
  });

  test('refuse an unknown type, a bad URL and more than a thousand items; one that a rule uses stays', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/gateway/lists`;
    expect((await call('POST', path, { name: 'x', type: 'COLOUR' })).codes).toEqual([2212]);
    expect((await call('POST', path, { name: 'x', type: 'URL', items: [{ value: 'no url' }] })).codes).toEqual([2215]);
    const many = Array.from({ length: 1001 }, (_, index) => ({ value: `s${index}` }));
    expect((await call('POST', path, { name: 'x', type: 'SERIAL', items: many })).codes).toEqual([2216]);
    const { id } = (await call('POST', path, { name: 'x', type: 'SERIAL' })).result;
    await call('POST', `${account}/gateway/rules`, {
      ...rule,
      traffic: `dns.domains in $${(id as string).replaceAll('-', '')}`,
    });
    expect((await call('DELETE', `${path}/${id}`)).codes).toEqual([2219]);
  });
});

test('the configuration is replaced by PUT and merged by PATCH, setting by setting', async () => {
  const { call, account } = await startTestSim();
  const path = `${account}/gateway/configuration`;
  expect((await call('GET', path)).result.settings).toEqual({});
  await call('PUT', path, { settings: { antivirus: { enabled_download_phase: true } } });
  await call('PATCH', path, { settings: { activity_log: { enabled: true } } });
  expect((await call('GET', path)).result.settings).toEqual({
    antivirus: { enabled_download_phase: true },
    activity_log: { enabled: true },
  });
  expect((await call('PATCH', path, { settings: { tls_decrypt: { enabled: true } } })).codes).toEqual([2211]);
  const brought = { custom_certificate: { enabled: true, id: 'c' }, tls_decrypt: { enabled: true } };
  expect((await call('PATCH', path, { settings: brought })).codes).toEqual([]);
  expect((await call('PATCH', path, { settings: { colour: {} } })).codes).toEqual([2061]);
  expect((await call('PATCH', path, {})).codes).toEqual([2060]);
});
