import { describe, expect, test } from 'vitest';
import type { Change } from '../cache/informer.ts';
import { defineKind } from '../kind.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import { toPriority } from './change-priority.ts';
import { ownedBy } from './owned-by.ts';
import { all, annotationsChanged, any, deletionStarted, generationChanged, labelsChanged } from './predicates.ts';
import { createHandDrivenCache } from './testing/hand-driven-cache.ts';
import { watch } from './watch.ts';
import type { WatchOptions } from './watch.ts';

const pod = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
const tunnel = defineKind({ group: 'net.example', version: 'v2', kind: 'Tunnel', plural: 'tunnels', scope: 'Cluster' });
const set = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
});

const object = (metadata: ObjectMeta = {}): KubeObject => ({ metadata: { namespace: 'n', name: 'a', ...metadata } });
const update = (old: ObjectMeta, next: ObjectMeta): Change<KubeObject> => ({
  type: 'updated',
  old: object(old),
  object: object(next),
  initial: false,
});
const added: Change<KubeObject> = { type: 'added', object: object(), initial: false };
const deleted: Change<KubeObject> = { type: 'deleted', object: object(), old: object(), initial: false };

describe('predicates', () => {
  const no = (): boolean => false;
  const yes = (): boolean => true;
  const cases = [
    {
      name: 'another generation matters',
      predicate: generationChanged,
      change: update({ generation: 1 }, { generation: 2 }),
      matters: true,
    },
    {
      name: 'the same generation does not',
      predicate: generationChanged,
      change: update({ generation: 1 }, { generation: 1 }),
      matters: false,
    },
    { name: 'a new object always matters', predicate: generationChanged, change: added, matters: true },
    { name: 'a deleted object always matters', predicate: labelsChanged, change: deleted, matters: true },
    {
      name: 'another label matters',
      predicate: labelsChanged,
      change: update({ labels: { a: '1' } }, { labels: { a: '2' } }),
      matters: true,
    },
    {
      name: 'one label less matters',
      predicate: labelsChanged,
      change: update({ labels: { a: '1' } }, {}),
      matters: true,
    },
    {
      name: 'a renamed label matters',
      predicate: labelsChanged,
      change: update({ labels: { a: '1' } }, { labels: { b: '1' } }),
      matters: true,
    },
    {
      name: 'equal labels do not',
      predicate: labelsChanged,
      change: update({ labels: { a: '1' } }, { labels: { a: '1' } }),
      matters: false,
    },
    {
      name: 'another annotation matters',
      predicate: annotationsChanged,
      change: update({}, { annotations: { a: '1' } }),
      matters: true,
    },
    {
      name: 'equal annotations do not',
      predicate: annotationsChanged,
      change: update({ labels: { a: '1' } }, {}),
      matters: false,
    },
    {
      name: 'the beginning of deletion matters',
      predicate: deletionStarted,
      change: update({}, { deletionTimestamp: 't' }),
      matters: true,
    },
    {
      name: 'later changes while deleting do not',
      predicate: deletionStarted,
      change: update({ deletionTimestamp: 't' }, { deletionTimestamp: 't' }),
      matters: false,
    },
    { name: 'any needs one', predicate: any(no, yes), change: added, matters: true },
    { name: 'any of none is no', predicate: any(no, no), change: added, matters: false },
    { name: 'all needs all', predicate: all(yes, no), change: added, matters: false },
    { name: 'all of all is yes', predicate: all(yes, yes), change: added, matters: true },
  ];
  test.each(cases)('$name', ({ predicate, change, matters }) => expect(predicate(change)).toBe(matters));
});

describe('priority', () => {
  const cases = [
    { name: 'the first list is low', change: { ...added, initial: true }, priority: 'low' },
    {
      name: 'a relist is low',
      change: { ...update({ generation: 1 }, { generation: 2 }), initial: true },
      priority: 'low',
    },
    { name: 'a new object is high', change: added, priority: 'high' },
    { name: 'a deleted object is high', change: deleted, priority: 'high' },
    { name: 'another spec is high', change: update({ generation: 1 }, { generation: 2 }), priority: 'high' },
    {
      name: 'a status is normal',
      change: update({ generation: 1, resourceVersion: '1' }, { generation: 1, resourceVersion: '2' }),
      priority: 'normal',
    },
    {
      name: 'a kind without generation is high',
      change: update({ resourceVersion: '1' }, { resourceVersion: '2' }),
      priority: 'high',
    },
    {
      name: 'the same version again is low',
      change: update({ resourceVersion: '1' }, { resourceVersion: '1' }),
      priority: 'low',
    },
  ] as const;
  test.each(cases)('$name', ({ change, priority }) => expect(toPriority(change)).toBe(priority));
});

describe('ownedBy', () => {
  const owned = (apiVersion: string, kind: string, controller = true): KubeObject =>
    object({ ownerReferences: [{ apiVersion, kind, name: 'owner', uid: 'u', controller }] });
  const cases = [
    {
      name: 'finds the owner in the namespace of the object',
      map: ownedBy(set),
      child: owned('apps/v1', 'ReplicaSet'),
      keys: ['n/owner'],
    },
    {
      name: 'finds a cluster-wide owner by name alone',
      map: ownedBy(tunnel),
      child: owned('net.example/v1', 'Tunnel'),
      keys: ['owner'],
    },
    { name: 'ignores another group', map: ownedBy(tunnel), child: owned('other.example/v2', 'Tunnel'), keys: [] },
    { name: 'ignores another kind', map: ownedBy(set), child: owned('apps/v1', 'Deployment'), keys: [] },
    {
      name: 'ignores an owner that is not the controller',
      map: ownedBy(set),
      child: owned('apps/v1', 'ReplicaSet', false),
      keys: [],
    },
    {
      name: 'takes any owner when told to',
      map: ownedBy(set, { anyOwner: true }),
      child: owned('apps/v1', 'ReplicaSet', false),
      keys: ['n/owner'],
    },
    { name: 'finds owners of the core group', map: ownedBy(pod), child: owned('v1', 'Pod'), keys: ['n/owner'] },
    { name: 'finds none where there are none', map: ownedBy(set), child: object(), keys: [] },
  ];
  test.each(cases)('$name', ({ map, child, keys }) => expect(map(child)).toEqual(keys));
});

describe('a watch', () => {
  function follow(options: WatchOptions<KubeObject>) {
    const cache = createHandDrivenCache();
    const keys: string[] = [];
    const bugs: unknown[] = [];
    watch<KubeObject>(pod, options)
      .open(cache)
      .onKey(
        (key, priority) => keys.push(`${key} ${priority}`),
        (error) => bugs.push(error),
      );
    return { cache, keys, bugs };
  }

  test('asks for the object itself, at the priority of its change', () => {
    const { cache, keys } = follow({});
    cache.put(pod, object(), { initial: true });
    cache.put(pod, object({ labels: {} }));
    expect(keys).toEqual(['n/a low', 'n/a high']);
  });

  test('wakes the owner an object left and the one it came to', () => {
    const { cache, keys } = follow({
      toKeys: ({ metadata }) => [metadata.labels?.['owner'] ?? 'none'],
      priority: () => 'normal',
    });
    cache.put(pod, object({ labels: { owner: 'old' } }));
    cache.put(pod, object({ labels: { owner: 'new' } }));
    cache.remove(pod, object({ labels: { owner: 'new' } }));
    expect(keys).toEqual(['old normal', 'new normal', 'old normal', 'new normal']);
  });

  test('passes over what its predicate does not care for', () => {
    const { cache, keys } = follow({ when: generationChanged });
    cache.put(pod, object({ generation: 1 }));
    cache.put(pod, object({ generation: 1, labels: { a: '1' } }));
    cache.put(pod, object({ generation: 2 }));
    expect(keys).toEqual(['n/a high', 'n/a high']);
  });

  test('reports a predicate that throws and reconciles the object all the same', () => {
    const bug = new Error('bug');
    const { cache, keys, bugs } = follow({
      when: () => {
        throw bug;
      },
    });
    cache.put(pod, object());
    expect({ keys, bugs }).toEqual({ keys: ['n/a normal'], bugs: [bug] });
  });
});
