import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const proxy = 'http://p:1';
const names: readonly (readonly [string, string, Record<string, string>, string | undefined])[] = [
  ['HTTPS_PROXY is for https', 'https://k', { HTTPS_PROXY: proxy }, proxy],
  ['lower case is read too', 'https://k', { https_proxy: proxy }, proxy],
  ['upper case goes first', 'https://k', { HTTPS_PROXY: proxy, https_proxy: 'http://q' }, proxy],
  ['HTTP_PROXY is not for https', 'https://k', { HTTP_PROXY: proxy }, undefined],
  ['HTTP_PROXY is for http', 'http://k', { HTTP_PROXY: proxy }, proxy],
  ['a proxy without a scheme is http', 'https://k', { HTTPS_PROXY: 'p:1' }, proxy],
  ['an empty variable is none', 'https://k', { HTTPS_PROXY: '' }, undefined],
  ['no variable is none', 'https://k', {}, undefined],
  ['localhost is reached directly', 'https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
  ['so is 127.0.0.1', 'https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
  ['so is ::1', 'https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
];

for (const [name, server, env, expected] of names) {
  test(`${name}: ${server}`, () => expect(environmentProxy(new URL(server), env)).toBe(expected));
}

const excluded: readonly (readonly [string, string, boolean])[] = [
  ['*', 'https://k.example.org', true],
  ['example.org', 'https://example.org', true],
  ['example.org', 'https://k.example.org', true],
  ['example.org', 'https://notexample.org', false],
  ['.example.org', 'https://k.example.org', true],
  ['.example.org', 'https://example.org', false],
  ['*.example.org', 'https://k.example.org', true],
  ['a, EXAMPLE.org ,b', 'https://K.Example.Org', true],
  ['example.org:6443', 'https://example.org:6443', true],
  ['example.org:6443', 'https://example.org', false],
  ['example.org:443', 'https://example.org', true],
  ['10.0.0.1', 'https://10.0.0.1', true],
  ['10.0.0.1:443', 'https://10.0.0.1', true],
  ['10.0.0.1:80', 'https://10.0.0.1', false],
  ['10.0.0.1', 'https://10.0.0.11', false],
  ['0.0.1', 'https://10.0.0.1', false],
  ['10.0.0.0/8', 'https://10.200.0.1', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.0.0.0/8', 'https://k.example.org', false],
  ['10.0.0.0/99', 'https://10.0.0.1', false],
  ['10.0.0.0/x', 'https://10.0.0.1', false],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['fd12::1', 'https://[fd12::1]:6443', true],
  ['[fd12::1]:6443', 'https://[fd12::1]:6443', true],
  ['[fd12::1]:1', 'https://[fd12::1]:6443', false],
  [':443', 'https://k', false],
  ['', 'https://k', false],
];

for (const [noProxy, server, direct] of excluded) {
  test(`NO_PROXY=${noProxy} ${direct ? 'covers' : 'does not cover'} ${server}`, () => {
    const found = environmentProxy(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: noProxy });
    expect(found).toBe(direct ? undefined : proxy);
  });
}
