import { expect, test } from 'vitest';
import { startSimCall } from '../../testing/sim-call.ts';
import { accessServiceTokenTarget as target } from './sync.ts';
import type { ObservedToken } from './sync.ts';

const secret = { namespace: 'default', name: 'ci', clientIdKey: 'ID', clientSecretKey: 'SECRET' };
const wanted = { name: 'ci', duration: '24h', secret };
const stored: ObservedToken = {
  id: '1',
  remote: { id: '1', name: 'ci', duration: '24h', client_id: 'c' },
  stored: true,
  due: false,
};

test.each([
  ['as wanted', stored, undefined, []],
  ['in other words', { ...stored, remote: { ...stored.remote, duration: '1440m' } }, undefined, []],
  ['whose secret is stored nowhere', { ...stored, stored: false }, undefined, ['client_secret']],
  ['that is to be renewed', { ...stored, due: true }, undefined, ['client_secret']],
  ['whose new secret may never have been stored', stored, { storing: true }, ['client_secret']],
  ['of another name and life', { ...stored, remote: { name: 'x', duration: '1h' } }, undefined, ['name', 'duration']],
])('a token %s', (_name, observed, remembered, fields) => {
  expect(target.difference(wanted, observed, remembered)).toEqual(fields);
});

test('before a new secret is asked for, and only then, it is written down that it may be lost', () => {
  expect(target.memory?.before?.(wanted, ['client_secret'])).toEqual({ storing: true });
  expect(target.memory?.before?.(wanted, ['name'])).toBeUndefined();
  expect(target.memory?.after(wanted, stored, { storing: true, version: 3 }, 0)).toEqual({
    version: 3,
    place: wanted.secret,
  });
  const rotated = { ...stored, remote: { ...stored.remote, client_secret: 's' } };
  expect(target.memory?.after(wanted, rotated, { storing: true, version: 3 }, 0)).toEqual({
    version: 4,
    place: wanted.secret,
  });
});

test('another secret comes with more time, and the old one lasts as long as it would have', async () => {
  const { sim, call } = await startSimCall({}, { ID: 'another', SECRET: 'x' });
  const key = { accountId: sim.accountId, owner: 'AccessServiceToken/ci' };
  const made = await target.create?.run(wanted, key, call);
  const [seen] = await target.observe.lookup({ key, desired: wanted, id: made?.id }, call);
  if (!made || !seen) throw new Error('there is no token');
  expect(seen).toMatchObject({ stored: false, due: false });
  const fields = target.difference(wanted, seen, undefined);
  const rotated = await target.update?.({ key, wanted, observed: seen, fields }, call);
  expect(rotated?.remote.client_secret).not.toBe(made.remote.client_secret);
  expect(sim.journal.calls({ write: true }).map(({ path }) => path.split('/').at(-1))).toEqual([
    'service_tokens',
    'rotate',
    'refresh',
  ]);
  const wishes = await target.secrets?.(rotated ?? made, wanted, key, call);
  expect(wishes).toEqual([
    { namespace: 'default', name: 'ci', data: { ID: made.remote.client_id, SECRET: rotated?.remote.client_secret } },
  ]);
  expect(await target.secrets?.(seen, wanted, key, call)).toEqual([]);
});

test('a token that is only to go is found without its Secret', async () => {
  const { sim, call } = await startSimCall();
  const key = { accountId: sim.accountId, owner: 'AccessServiceToken/ci' };
  const made = await target.create?.run(wanted, key, call);
  expect(await target.observe.lookup({ key, desired: undefined, id: undefined }, call)).toMatchObject([
    { id: made?.id },
  ]);
});
