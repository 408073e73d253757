import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, river, rivers, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

describe('delete', () => {
  test('answers with the identity of what went', async () => {
    const { body } = await api.call('POST', rivers, river('a'));
    const gone = await api.call('DELETE', `${rivers}/a`);
    expect(gone.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', group: 'x.test', kind: 'rivers', uid: body.metadata.uid },
    });
    expect((await api.call('DELETE', `${rivers}/a`)).body.message).toBe('rivers.x.test "a" not found');
  });

  test('keeps to its preconditions', async () => {
    const { body } = await api.call('POST', configMaps, { metadata: { name: 'a' } });
    const wrongUid = await api.call('DELETE', `${configMaps}/a`, { preconditions: { uid: 'other' } });
    expect(wrongUid.body).toMatchObject({ code: 409, reason: 'Conflict' });
    const wrongVersion = await api.call('DELETE', `${configMaps}/a`, { preconditions: { resourceVersion: '1' } });
    expect(wrongVersion.body.message).toContain('the ResourceVersion in the precondition (1) does not match');
    const right = await api.call('DELETE', `${configMaps}/a`, { preconditions: { uid: body.metadata.uid } });
    expect(right.status).toBe(200);
  });

  test('takes options from the query when there is no body', async () => {
    await api.call('POST', configMaps, { metadata: { name: 'a' } });
    const { body } = await api.call('DELETE', `${configMaps}/a?propagationPolicy=Orphan`);
    expect(body.metadata.finalizers).toEqual(['orphan']);
    const bad = await api.call('DELETE', `${configMaps}/a?propagationPolicy=Sideways`);
    expect(bad.body.message).toBe(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
  });

  test('as a dry run deletes nothing', async () => {
    await api.call('POST', configMaps, { metadata: { name: 'a' } });
    expect((await api.call('DELETE', `${configMaps}/a?dryRun=All`)).body.status).toBe('Success');
    expect((await api.call('GET', `${configMaps}/a`)).status).toBe(200);
  });

  test('a second time changes nothing while finalizers are left', async () => {
    await api.call('POST', configMaps, { metadata: { name: 'a', finalizers: ['x.test/a'] } });
    const first = await api.call('DELETE', `${configMaps}/a`);
    await api.clock.advance(5000);
    expect((await api.call('DELETE', `${configMaps}/a`)).body).toEqual(first.body);
  });
});

test('a deletion whose mark no longer fits into the store is refused, not tried for ever', async () => {
  // Just under the limit of 1.5 MiB: the mark makes it too large.
  const spec = { name: 'x'.repeat(1_572_560) };
  const { status } = await api.call('POST', rivers, {
    ...river('a', spec),
    metadata: { name: 'a', finalizers: ['x.test/a'] },
  });
  expect(status).toBe(201);
  const { body } = await api.call('DELETE', `${rivers}/a`);
  expect(body).toMatchObject({ code: 500, message: 'etcdserver: request is too large' });
});

test('deletecollection deletes what the selector selects and answers with the list', async () => {
  for (const [name, app] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ]) {
    await api.call('POST', configMaps, { metadata: { name, labels: { app } } });
  }
  const { body } = await api.call('DELETE', `${configMaps}?labelSelector=app%3Dx`);
  expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['a', 'b']);
  const left = await api.call('GET', configMaps);
  expect(left.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['c']);
});
