import { describe, expect, test } from 'vitest';
import { hostnameProblem, pathProblem, serviceProblem } from './check-rule.ts';

describe('what cloudflared takes', () => {
  for (const service of [
    'http://a:80',
    'https://[::1]:443',
    'unix:/s',
    'http_status:404',
    'hello_world',
    'tcp://a:1',
  ]) {
    test(`service ${service}`, () => expect(serviceProblem(service)).toBeUndefined());
  }
  for (const hostname of ['a.example.com', '*.example.com', '_a.example.com', 'A.example.com']) {
    test(`host ${hostname}`, () => expect(hostnameProblem(hostname)).toBeUndefined());
  }
  for (const path of [
    '/api/.*',
    '^/(?i)x(?P<n>[[:alpha:]]+)\\z',
    '(?i)^/a',
    '(?-s)^/a(?i-s:b)',
    'a{2}',
    'a{1000}',
    '[]a]',
    '\\.(js|css)$',
    '\\Q(\\h\\E\\d\\pN\\x{2F}\\-\\/\\_\\\\h',
  ]) {
    test(`path ${path}`, () => expect(pathProblem(path)).toBeUndefined());
  }
});

describe('what it does not take', () => {
  for (const service of ['localhost', 'http://', 'http://a/b', 'http://a/', 'http_status:99', 'http_status:1000', '']) {
    test(`service "${service}"`, () => expect(serviceProblem(service)).toContain(`"${service}"`));
  }
  for (const hostname of ['a.example.com:80', 'a.*.com', '*a.example.com', 'localhost', '', 'a b.example.com']) {
    test(`host "${hostname}"`, () => expect(hostnameProblem(hostname)).toContain(`"${hostname}"`));
  }
  const strange = [
    '\\E',
    '\\x',
    '\\p',
    '[]',
    '\\h',
    '\\u0041',
    '\\Z',
    '\\cA',
    '\\k<a>',
    '\\\\\\e',
    'a{1001}',
    'a{2,1001}',
    '[[:letter:]]',
    '(?x)a',
  ];
  for (const path of ['(', '(?=a)', '(?<!a)b', '(a)\\1', '[', 'a**', ...strange]) {
    test(`path ${path}`, () => expect(pathProblem(path)).toContain(`"${path}"`));
  }
});
