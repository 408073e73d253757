import { expect, test } from 'vitest';
import { planStatus } from './plan-status.ts';

const ready = { status: 'False', reason: 'Deleting', message: 'wait' } as const;
const required = { tunnelId: '', zoneId: '' };
const patchOf = (status: object | undefined, fields = {}) =>
  planStatus({ object: { metadata: { name: 'a' }, ...(status && { status }) }, fields, required, ready, now: 0 })[0];

test('a status has what the server asks for, from its first write on', () => {
  expect(patchOf(undefined)).toMatchObject({ do: 'write-status', patch: { tunnelId: '', zoneId: '' } });
});

test('what is known is not emptied', () => {
  const patch = patchOf({ tunnelId: 't' }, { zoneId: 'z' });
  expect(patch).toMatchObject({ patch: { zoneId: 'z' } });
  expect(JSON.stringify(patch)).not.toContain('tunnelId');
});
