import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SyncStateHead } from '../l4-state/contract.ts';
import type { Source } from '../l4-state/source.ts';
import { applyEdits, isApplied } from './apply-edits.ts';
import type { Edit } from './apply-edits.ts';

const head: SyncStateHead = {
  name: 'tunnel-configuration-x',
  labels: {},
  finalizer: 'f',
  resourceType: 'TunnelConfiguration',
  cloudflareId: 't1',
  accountId: 'a1',
  credentialsRef: { name: 'main' },
  key: { accountId: 'a1', tunnelId: 't1' },
};
const source = (name: string, config: Record<string, unknown> = { rules: [name] }): Source => ({
  ref: { kind: 'Ingress', namespace: 'default', name },
  config,
  priority: 100,
  createdAt: '2026-01-01T00:00:00Z',
});
const put = (name: string, config?: Record<string, unknown>, credentials = 'main'): Edit => ({
  do: 'put',
  head: { ...head, credentialsRef: { name: credentials } },
  source: source(name, config),
});
const drop = (name: string): Edit => ({ do: 'drop', ref: { kind: 'Ingress', namespace: 'default', name } });
const early = '2026-01-02T00:00:00Z';
const late = '2026-01-03T00:00:00Z';

describe('edits of a SyncState', () => {
  test('the first write carries the head and its first sources together', () => {
    expect(applyEdits(undefined, [put('b'), put('a')], early)).toEqual({
      resourceType: 'TunnelConfiguration',
      cloudflareId: 't1',
      accountId: 'a1',
      credentialsRef: { name: 'main' },
      key: { accountId: 'a1', tunnelId: 't1' },
      sources: [
        { ...source('a'), lastUpdated: early },
        { ...source('b'), lastUpdated: early },
      ],
    });
  });

  test('registering what is registered gives the very same spec', () => {
    const spec = applyEdits(undefined, [put('a'), put('b')], early);
    expect(applyEdits(spec, [put('b'), put('a'), drop('c')], late)).toBe(spec);
  });

  test('a change moves the time of its own source only', () => {
    const spec = applyEdits(undefined, [put('a'), put('b')], early);
    const next = applyEdits(spec, [put('b', { rules: ['other'] })], late);
    expect(next?.sources?.map(({ lastUpdated }) => lastUpdated)).toEqual([early, late]);
  });

  test('other credentials, account or key reach a SyncState that exists', () => {
    const spec = applyEdits(undefined, [put('a')], early);
    const moved: Edit = { do: 'put', head: { ...head, credentialsRef: { name: 'other' } }, source: source('a') };
    expect(applyEdits(spec, [moved], late)).toMatchObject({
      credentialsRef: { name: 'other' },
      sources: [{ lastUpdated: early }],
    });
  });

  describe('that come with different credentials', () => {
    const by = (credentials: string, name: string, fields: Partial<Source> = {}): Edit => ({
      do: 'put',
      head: { ...head, credentialsRef: { name: credentials } },
      source: { ...source(name), ...fields },
    });
    const older = { createdAt: '2025-01-01T00:00:00Z' };
    const both = applyEdits(undefined, [by('mine', 'a'), by('theirs', 'b', older)], early);

    test('those of the first in winning order are in use, and each keeps its own', () => {
      expect(both).toMatchObject({
        credentialsRef: { name: 'theirs' },
        sources: [{ ref: { name: 'a' }, credentialsRef: { name: 'mine' } }, { ref: { name: 'b' } }],
      });
      expect(both?.sources?.[1]).not.toHaveProperty('credentialsRef');
    });

    test('registering either of them again changes nothing', () => {
      expect(applyEdits(both, [by('mine', 'a')], late)).toBe(both);
      expect(applyEdits(both, [by('theirs', 'b', older)], late)).toBe(both);
      expect(both && isApplied(both, by('mine', 'a'))).toBe(true);
      expect(both && isApplied(both, by('others', 'a'))).toBe(false);
    });

    test('when the first one leaves, the next one’s are in use', () => {
      expect(applyEdits(both, [drop('b')], late)).toMatchObject({
        credentialsRef: { name: 'mine' },
        sources: [{ lastUpdated: early }],
      });
    });

    test('who has left everything as it is has no say', () => {
      const left = applyEdits(both, [{ do: 'orphan', ref: source('b').ref }], late);
      expect(left).toMatchObject({ credentialsRef: { name: 'mine' }, sources: [{}, { orphaned: true }] });
    });
  });

  test('the last source that goes leaves an empty list, not nothing', () => {
    const spec = applyEdits(undefined, [put('a')], early);
    expect(applyEdits(spec, [drop('a')], late)?.sources).toEqual([]);
  });

  test('there is nothing to drop from a SyncState that is not there', () => {
    expect(applyEdits(undefined, [drop('a')], early)).toBeUndefined();
  });
});

test('edits of different sources may come in any order and any grouping', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const edits = fc.uniqueArray(fc.tuple(name, fc.boolean()), { selector: ([of]) => of });
  fc.assert(
    fc.property(edits, edits, (before, wishes) => {
      const start = applyEdits(undefined, [put('z'), ...before.map(([of]) => put(of))], early);
      const by = (of: string): string => (of < 'c' ? 'main' : 'other');
      const wanted = wishes.map(([of, isPut]) => (isPut ? put(of, { rules: ['new'] }, by(of)) : drop(of)));
      const oneByOne = wanted.toReversed().reduce((spec, edit) => applyEdits(spec, [edit], late), start);
      expect(applyEdits(start, wanted, late)).toEqual(oneByOne);
    }),
  );
});
