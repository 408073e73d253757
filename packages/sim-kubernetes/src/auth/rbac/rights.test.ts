import { expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import { needsRight, rightsIn, withoutRight } from './rights.ts';

const manifests = [
  { kind: 'Namespace', metadata: { name: 'home' } },
  {
    kind: 'ClusterRole',
    metadata: { name: 'wide' },
    rules: [
      { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    ],
  },
  {
    kind: 'Role',
    metadata: { name: 'narrow', namespace: 'home' },
    rules: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] },
    ],
  },
];
const rights = rightsIn(manifests);
const titles = rights.map(({ title }) => title);
const request = (verb: string, resource: string, more: Partial<Attributes> = {}): Attributes => ({
  user: { username: 'x', groups: [] },
  verb,
  group: '',
  resource,
  subresource: '',
  namespace: 'home',
  name: '',
  ...more,
});
const neededFor = (asked: Attributes): readonly string[] =>
  rights.filter((right) => needsRight([asked], right, rights)).map(({ title }) => title);

test('a role is taken apart into one verb on one resource', () => {
  expect(titles).toEqual([
    'ClusterRole wide: get apps/deployments',
    'ClusterRole wide: get apps/deployments/scale',
    'ClusterRole wide: get pods',
    'ClusterRole wide: list pods',
    'Role narrow: list pods',
    'Role narrow: get secrets a',
  ]);
});

const cases: readonly (readonly [string, Attributes, readonly string[]])[] = [
  ['what one rule alone allows', request('get', 'pods'), ['ClusterRole wide: get pods']],
  ['nothing where two rules allow the same', request('list', 'pods'), []],
  ['the wider one elsewhere', request('list', 'pods', { namespace: 'away' }), ['ClusterRole wide: list pods']],
  ['the one for that object', request('get', 'secrets', { name: 'a' }), ['Role narrow: get secrets a']],
  ['none that is for another object', request('get', 'secrets', { name: 'b' }), []],
  [
    'the one for that part',
    request('get', 'deployments', { group: 'apps', subresource: 'scale' }),
    ['ClusterRole wide: get apps/deployments/scale'],
  ],
];
for (const [name, asked, needed] of cases) {
  test(`a request needs ${name}`, () => expect(neededFor(asked)).toEqual(needed));
}

test('without a right everything else is as it was', () => {
  for (const right of rights) {
    const rest = rightsIn(withoutRight(manifests, right)).map(({ title }) => title);
    expect(rest).toEqual(titles.filter((title) => title !== right.title));
  }
  expect(withoutRight(manifests, rights[0] as (typeof rights)[0])[0]).toBe(manifests[0]);
});
