import { expect, test } from 'vitest';
import { intersectHosts } from './intersect-hosts.ts';

const every = undefined;

test.each([
  ['neither names a host', every, [], [every]],
  ['only the listener does', 'app.example.com', [], ['app.example.com']],
  ['only the route does', every, ['app.example.com', 'shop.example.com'], ['app.example.com', 'shop.example.com']],
  ['the same name, whatever the case', 'App.example.com', ['app.Example.com'], ['app.example.com']],
  ['different names', 'app.example.com', ['shop.example.com'], []],
  [
    'a wildcard of the listener takes what is below it',
    '*.example.com',
    ['app.example.com', 'a.b.example.com'],
    ['app.example.com', 'a.b.example.com'],
  ],
  ['but not the domain itself', '*.example.com', ['example.com'], []],
  ['nor what only ends alike', '*.example.com', ['badexample.com'], []],
  ['a wildcard of the route is narrowed to the listener', 'app.example.com', ['*.example.com'], ['app.example.com']],
  ['of two wildcards the narrower one is common', '*.example.com', ['*.a.example.com'], ['*.a.example.com']],
  ['whichever side it is on', '*.a.example.com', ['*.example.com'], ['*.a.example.com']],
  ['equal wildcards', '*.example.com', ['*.example.com'], ['*.example.com']],
  ['what does not fit is left out', '*.example.com', ['app.example.com', 'app.example.org'], ['app.example.com']],
  ['names that narrow to one are one', 'app.example.com', ['*.example.com', 'app.example.com'], ['app.example.com']],
] as const)('%s', (_name, listener, route, common) => {
  expect(intersectHosts(listener, route)).toEqual(common);
});
