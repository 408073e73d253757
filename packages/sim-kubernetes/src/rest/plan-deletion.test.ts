import { describe, expect, test } from 'vitest';
import { planDeletion } from './plan-deletion.ts';
import { riverType } from '../http/testing/test-api.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';

const nowMs = Date.parse('2026-01-05T12:00:00Z');
const graceful: ResourceType = { ...riverType, strategy: { gracePeriodSeconds: (_, asked) => asked ?? 30 } };

const object = (metadata: object = {}): StoredObject =>
  ({ apiVersion: 'x.test/v1', kind: 'River', metadata: { name: 'a', generation: 1, ...metadata } }) as StoredObject;

describe('an object without a grace period', () => {
  test('goes at once', () => {
    expect(planDeletion(riverType, object(), {}, nowMs)).toEqual({ kind: 'remove' });
  });

  test('with a finalizer is marked with the time and the next generation', () => {
    expect(planDeletion(riverType, object({ finalizers: ['x.test/a'] }), {}, nowMs)).toEqual({
      kind: 'mark',
      metadata: {
        deletionTimestamp: '2026-01-05T12:00:00Z',
        deletionGracePeriodSeconds: 0,
        generation: 2,
        finalizers: ['x.test/a'],
      },
    });
  });

  test('that is marked already is left as it is', () => {
    const marked = {
      finalizers: ['x.test/a'],
      deletionTimestamp: '2026-01-05T11:00:00Z',
      deletionGracePeriodSeconds: 0,
    };
    expect(planDeletion(riverType, object(marked), {}, nowMs)).toEqual({ kind: 'pending' });
  });
});

const policies = [
  ['Orphan', ['orphan']],
  ['Foreground', ['foregroundDeletion']],
] as const;

describe('the propagation policy', () => {
  test.each(policies)('%s becomes a finalizer', (propagationPolicy, finalizers) => {
    const plan = planDeletion(riverType, object(), { propagationPolicy }, nowMs);
    expect(plan).toMatchObject({ kind: 'mark', metadata: { finalizers } });
  });

  test('Background takes the finalizer of another policy away', () => {
    const plan = planDeletion(
      riverType,
      object({ finalizers: ['orphan'] }),
      { propagationPolicy: 'Background' },
      nowMs,
    );
    expect(plan).toEqual({ kind: 'remove' });
  });

  test('that is not given is what the object or else its kind says', () => {
    const orphaning = { ...riverType, strategy: { defaultPropagation: 'Orphan' as const } };
    expect(planDeletion(orphaning, object(), {}, nowMs)).toMatchObject({ metadata: { finalizers: ['orphan'] } });
    const own = object({ finalizers: ['foregroundDeletion'] });
    expect(planDeletion(orphaning, own, {}, nowMs)).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] } });
  });

  test('of old clients is orphanDependents', () => {
    const plan = planDeletion(riverType, object(), { orphanDependents: true }, nowMs);
    expect(plan).toMatchObject({ metadata: { finalizers: ['orphan'] } });
  });
});

describe('an object with a grace period', () => {
  test('is marked to go at its end', () => {
    expect(planDeletion(graceful, object(), {}, nowMs)).toEqual({
      kind: 'mark',
      metadata: {
        deletionTimestamp: '2026-01-05T12:00:30Z',
        deletionGracePeriodSeconds: 30,
        generation: 2,
        finalizers: [],
      },
    });
  });

  test('of nothing is seen to be deleted before it goes', () => {
    const plan = planDeletion(graceful, object(), { gracePeriodSeconds: 0 }, nowMs);
    expect(plan).toMatchObject({ kind: 'mark-and-remove', metadata: { deletionGracePeriodSeconds: 0 } });
  });

  const dying = object({ deletionTimestamp: '2026-01-05T12:00:20Z', deletionGracePeriodSeconds: 30 });
  const shortened = [
    { name: 'longer changes nothing', asked: 60, plan: { kind: 'pending' } },
    { name: 'none changes nothing', asked: undefined, plan: { kind: 'pending' } },
    {
      name: 'shorter moves the time forward',
      asked: 15,
      plan: { kind: 'mark', metadata: { deletionTimestamp: '2026-01-05T12:00:05Z', deletionGracePeriodSeconds: 15 } },
    },
    {
      name: 'over already ends in a second, gracefully',
      asked: 5,
      plan: { kind: 'mark', metadata: { deletionTimestamp: '2026-01-05T12:00:00Z', deletionGracePeriodSeconds: 1 } },
    },
    {
      name: 'of nothing ends it',
      asked: 0,
      plan: { kind: 'mark-and-remove', metadata: { deletionTimestamp: '2026-01-05T12:00:00Z' } },
    },
  ];
  test.each(shortened)('that is under way: $name', ({ asked, plan }) => {
    const options = asked === undefined ? {} : { gracePeriodSeconds: asked };
    expect(planDeletion(graceful, dying, options, nowMs)).toMatchObject(plan);
  });

  test('does not count its generation up again when the period is shortened', () => {
    const plan = planDeletion(graceful, dying, { gracePeriodSeconds: 15 }, nowMs);
    expect(plan.kind === 'mark' && 'generation' in plan.metadata).toBe(false);
  });
});
