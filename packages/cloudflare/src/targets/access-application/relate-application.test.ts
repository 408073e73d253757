import { expect, test } from 'vitest';
import { relationOf } from './relate-application.ts';

const at = (domain: string): object => ({ domain, destinations: [{ type: 'public', uri: domain }] });
const web = { name: 'wiki', type: 'self_hosted', body: { ...at('wiki.example.com') } };
const saas = { name: 'crm', type: 'saas', body: {} };

test.each([
  ['the one at the same name', web, { type: 'self_hosted', ...at('wiki.example.com') }, 'same'],
  ['another type at the same name', web, { type: 'ssh', ...at('wiki.example.com') }, 'blocks'],
  [
    'one that has the name among others',
    web,
    { type: 'self_hosted', domain: 'x.example.com', destinations: [{ uri: 'wiki.example.com' }] },
    'blocks',
  ],
  ['one called the same elsewhere', web, { type: 'self_hosted', name: 'wiki', ...at('x.example.com') }, 'none'],
  ['by name and type where there is no domain', saas, { type: 'saas', name: 'crm' }, 'same'],
  ['another name where there is no domain', saas, { type: 'saas', name: 'hr' }, 'none'],
  [
    'the one launcher of the account',
    { ...saas, type: 'app_launcher' },
    { type: 'app_launcher', name: 'App Launcher' },
    'same',
  ],
  [
    "a bookmark in nobody's way",
    { ...web, type: 'bookmark' },
    { type: 'self_hosted', ...at('wiki.example.com') },
    'none',
  ],
])('an application and %s', (_name, wanted, observed, relation) => {
  expect(relationOf(wanted, { id: '1', name: 'any', ...observed })).toBe(relation);
});
