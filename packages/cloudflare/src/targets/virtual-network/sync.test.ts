import { isCloudflareError } from '@tributary/cloudflare-api';
import { beforeEach, expect, test } from 'vitest';
import type { Call } from '../../engine/l5-sync/target.ts';
import { desiredOf, sourceOf, startSimCall } from '../../testing/sim-call.ts';
import type { SimCall } from '../../testing/sim-call.ts';
import type { VirtualNetworkConfig, VirtualNetworkKey } from './contract.ts';
import { virtualNetworkTarget } from './sync.ts';

let sim: SimCall['sim'];
let call: Call;

beforeEach(async () => {
  ({ sim, call } = await startSimCall());
});

function keyOf(name: string): VirtualNetworkKey {
  return { accountId: sim.accountId, name };
}

function aggregate(
  name: string,
  config: Partial<VirtualNetworkConfig> = {},
): ReturnType<typeof virtualNetworkTarget.aggregate> {
  return virtualNetworkTarget.aggregate([sourceOf({ kind: 'VirtualNetwork', name }, { name, ...config })], keyOf(name));
}

type Observed = Parameters<typeof virtualNetworkTarget.idOf>[0];

async function make(name: string, config: Partial<VirtualNetworkConfig> = {}): Promise<Observed> {
  const made = await virtualNetworkTarget.create?.run(desiredOf(aggregate(name, config)), keyOf(name), call);
  if (!made) throw new Error('nothing was made');
  return made;
}

test('a network reads back as it was sent, with our mark behind the comment', async () => {
  const made = await make('office', { comment: 'upstairs', isDefaultNetwork: true });
  expect(made).toMatchObject({ comment: 'upstairs [managed-by:VirtualNetwork//office]', is_default_network: true });
  const wanted = desiredOf(aggregate('office', { comment: 'upstairs', isDefaultNetwork: true }));
  for (const id of [undefined, made.id]) {
    const [seen] = await virtualNetworkTarget.observe.lookup({ key: keyOf('office'), desired: wanted, id }, call);
    expect(seen && virtualNetworkTarget.difference(wanted, seen)).toEqual([]);
  }
});

test('a network is not made ordinary again, for only another default can do that', async () => {
  const made = await make('office', { isDefaultNetwork: true });
  const wanted = desiredOf(aggregate('office'));
  expect(virtualNetworkTarget.difference(wanted, made)).toEqual([]);
  const changed = { ...wanted, comment: 'new' };
  await virtualNetworkTarget.update?.(
    { key: keyOf('office'), wanted: changed, observed: made, fields: ['comment'] },
    call,
  );
  const [seen] = await virtualNetworkTarget.observe.lookup(
    { key: keyOf('office'), desired: wanted, id: made.id },
    call,
  );
  expect(seen).toMatchObject({ comment: 'new', is_default_network: true });
});

test('a comment that does not fit says by how much', () => {
  expect(aggregate('office', { comment: 'x'.repeat(256) })).toEqual({
    ok: false,
    message: 'spec.comment is 36 characters too long: with our mark it must fit into 256',
    ref: { kind: 'VirtualNetwork', name: 'office' },
  });
});

test('of two objects for one network the first wins and the other hears of it', () => {
  const sources = ['first', 'second'].map((name) => sourceOf({ kind: 'VirtualNetwork', name }, { name: 'office' }));
  expect(virtualNetworkTarget.aggregate(sources, keyOf('office'))).toMatchObject({
    losers: [
      {
        ref: { name: 'second' },
        what: 'virtual network office',
        winner: { name: 'first' },
        reason: 'VirtualNetwork/first was there first',
      },
    ],
  });
});

test('a network with routes is kept, and the refusal names them', async () => {
  const made = await make('office');
  const account = `/accounts/${sim.accountId}`;
  const { body } = sim.dashboard('POST', `${account}/cfd_tunnel`, { name: 't', config_src: 'cloudflare' });
  const tunnel = (body as { readonly result: { readonly id: string } }).result.id;
  sim.dashboard('POST', `${account}/teamnet/routes`, {
    network: '10.0.0.0/8',
    tunnel_id: tunnel,
    virtual_network_id: made.id,
  });
  const error: unknown = await virtualNetworkTarget
    .remove?.(made, keyOf('office'), call)
    .catch((thrown: unknown) => thrown);
  expect(isCloudflareError(error, 'in-use') && [error.detail, error.retry]).toEqual([
    expect.stringContaining('1 routes are in it: 10.0.0.0/8 to t'),
    { kind: 'backoff' },
  ]);
});

test('the default network cannot go, and the refusal says what would help', async () => {
  const made = await make('office', { isDefaultNetwork: true });
  const error: unknown = await virtualNetworkTarget
    .remove?.(made, keyOf('office'), call)
    .catch((thrown: unknown) => thrown);
  expect(isCloudflareError(error, 'in-use') && error.detail).toContain('make another one the default first');
});

test('a network that is only looked up is never made, changed or deleted', async () => {
  const key: VirtualNetworkKey = { ...keyOf('office'), lookup: 'true' };
  const source = sourceOf({ kind: 'NetworkRoute', name: 'r' }, { name: 'office' });
  const wanted = desiredOf(virtualNetworkTarget.aggregate([source], key));
  expect(virtualNetworkTarget.create?.allowed?.(wanted)).toBe(false);
  expect(virtualNetworkTarget.difference(wanted, await make('office', { comment: 'of another' }))).toEqual([]);
  expect(virtualNetworkTarget.giveUp({ key, created: false })).toBe('retain');
  expect(virtualNetworkTarget.giveUp({ key: keyOf('office'), created: false })).toBe('delete');
});
