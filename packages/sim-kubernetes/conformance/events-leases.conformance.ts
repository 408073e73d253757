import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('events-leases');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

describe('events', () => {
  const core = (): string => `/api/v1/namespaces/${namespace}/events`;
  const group = (): string => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  const event = (name: string, more: Loose = {}): Loose => ({
    metadata: { name },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'thing', namespace, uid: 'u1' },
    reason: 'Synced',
    message: 'all is well',
    type: 'Normal',
    source: { component: 'tester', host: 'h' },
    firstTimestamp: '2026-01-02T03:04:05Z',
    lastTimestamp: '2026-01-02T03:04:06Z',
    count: 2,
    ...more,
  });

  test('of core are stored as they are, without generation', async () => {
    const answer = await api.post(core(), event('plain'));
    expect(answer.status).toBe(201);
    expect(masked(answer.body, { [namespace]: '<namespace>' })).toEqual(golden('core event'));
  });

  test('of core are read under events.k8s.io with the new names of their fields', async () => {
    const { body } = await api.get(`${group()}/plain`);
    expect(masked(body, { [namespace]: '<namespace>' })).toEqual(golden('core event read as events.k8s.io'));
  });

  const modern = (name: string, more: Loose = {}): Loose => ({
    metadata: { name },
    eventTime: '2026-01-02T03:04:05.123456Z',
    reportingController: 'example.com/tester',
    reportingInstance: 'tester-1',
    action: 'Sync',
    reason: 'Synced',
    type: 'Normal',
    note: 'all is well',
    regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'thing', namespace, uid: 'u2' },
    ...more,
  });

  test('of events.k8s.io are read under core', async () => {
    const answer = await api.post(group(), modern('modern'));
    expect(answer.status).toBe(201);
    expect(masked(answer.body, { [namespace]: '<namespace>' })).toEqual(golden('modern event'));
    const { body } = await api.get(`${core()}/modern`);
    expect(masked(body, { [namespace]: '<namespace>' })).toEqual(golden('modern event read as core'));
  });

  test('are selected by the object they are about, under both names', async () => {
    const names = (body: Loose): string[] => body.items.map((item: Loose) => item.metadata.name);
    expect(
      names(
        (
          await api.get(core(), {
            fieldSelector: 'involvedObject.uid=u1,involvedObject.kind=ConfigMap,involvedObject.name=thing',
          })
        ).body,
      ),
    ).toEqual(['plain']);
    expect(names((await api.get(group(), { fieldSelector: 'regarding.uid=u2' })).body)).toEqual(['modern']);
    expect(names((await api.get(core(), { fieldSelector: 'reason=Synced,type=Normal' })).body)).toEqual([
      'modern',
      'plain',
    ]);
    expect(names((await api.get(core(), { fieldSelector: 'type=Warning' })).body)).toEqual([]);
  });

  test('are watched under both groups', async () => {
    const { body } = await api.get(core());
    const watch = await api.watch(group(), { resourceVersion: body.metadata.resourceVersion });
    await api.patch(`${core()}/plain`, 'strategic', { count: 3 });
    const { type, object } = await watch.next();
    expect(type).toBe('MODIFIED');
    expect(object).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'Event', deprecatedCount: 3 });
    watch.close();
  });

  const broken: readonly (readonly [string, () => string, () => Loose])[] = [
    [
      'an object in another namespace',
      core,
      () => event('bad', { involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'other' } }),
    ],
    ['an unknown type in the new group', group, () => modern('bad', { type: 'Strange' })],
    ['no reporting controller in the new group', group, () => modern('bad', { reportingController: '' })],
    ['no action in the new group', group, () => modern('bad', { action: '' })],
    ['no time in the new group', group, () => modern('bad', { eventTime: null })],
    ['deprecated fields in the new group', group, () => modern('bad', { deprecatedCount: 3 })],
  ];
  test.each(broken)('with %s', async (name, at, object) => {
    const answer = await api.post(at(), object());
    expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(`event with ${name}`));
  });
});

describe('leases', () => {
  const at = (): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const spec = {
    holderIdentity: 'me',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-02T03:04:05.123456Z',
    renewTime: '2026-01-02T03:04:06.000000Z',
    leaseTransitions: 0,
  };

  test('keep microseconds', async () => {
    const { status, body } = await api.post(at(), { metadata: { name: 'micro' }, spec });
    expect(status).toBe(201);
    expect(body.spec).toEqual(spec);
    expect(body.metadata).not.toHaveProperty('generation');
  });

  const times: readonly (readonly [string, string])[] = [
    ['2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:05.000000Z'],
    ['2026-01-02T05:04:05.000001+02:00', '2026-01-02T03:04:05.000001Z'],
  ];
  test.each(times)('write %s as %s', async (given, stored) => {
    const { body } = await api.post(at(), {
      metadata: { name: uniqueName('lease') },
      spec: { ...spec, renewTime: given },
    });
    expect(body.spec.renewTime).toBe(stored);
  });

  test('let exactly one of two writers win', async () => {
    const { body } = await api.post(at(), { metadata: { name: 'contested' }, spec });
    const answers = await Promise.all(
      ['a', 'b'].map((holderIdentity) => api.put(`${at()}/contested`, { ...body, spec: { ...spec, holderIdentity } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  const broken: readonly (readonly [string, Loose])[] = [
    ['a duration of 0', { leaseDurationSeconds: 0 }],
    ['negative transitions', { leaseTransitions: -1 }],
    ['a time that is none', { renewTime: 'now' }],
    ['an empty holder', { holderIdentity: '' }],
    ['a time without zone', { renewTime: '2026-01-02T03:04:05' }],
    ['a time of whole seconds', { renewTime: '2026-01-02T03:04:05Z' }],
    ['a time of tenths', { renewTime: '2026-01-02T03:04:05.5Z' }],
    ['a time of nanoseconds', { renewTime: '2026-01-02T03:04:05.123456789Z' }],
    ['a number as time', { renewTime: 5 }],
    ['a fraction as duration', { leaseDurationSeconds: 1.5 }],
    ['null as time', { renewTime: null }],
  ];
  test.each(broken)('with %s', async (name, more) => {
    const answer = await api.post(at(), { metadata: { name: 'bad' }, spec: { ...spec, ...more } }, { dryRun: 'All' });
    expect(maskedAnswer(answer, { [namespace]: '<namespace>' })).toEqual(golden(`lease with ${name}`));
  });
});
