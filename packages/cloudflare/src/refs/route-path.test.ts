import type { AnyObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import type { Contribution } from '../engine/l4-state/contract.ts';
import { routePathOf } from './route-path.ts';
import { fakeRefs } from './testing/fake-refs.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const credentials = (name: string, accountId: string, isDefault = false): AnyObject => ({
  apiVersion,
  kind: 'CloudflareCredentials',
  metadata: { name },
  spec: { accountId, authType: 'apiToken', secretRef: { name: 's' }, isDefault },
});
const tunnel = (namespace: string): AnyObject => ({
  apiVersion,
  kind: 'Tunnel',
  metadata: { namespace, name: 't' },
  spec: { cloudflare: { credentialsRef: { name: 'tunnels' } } },
  status: { tunnelId: `id-in-${namespace}`, tunnelName: 't', accountId: 'one' },
});
const objects = [credentials('main', 'other', true), credentials('tunnels', 'one'), tunnel('default'), tunnel('web')];
const refs = fakeRefs(objects);
const tunnelRef = { kind: 'Tunnel', name: 't' } as const;

test.each([
  { what: 'a cluster-wide object', namespace: undefined, tunnelId: 'id-in-default' },
  { what: 'an object in a namespace', namespace: 'web', tunnelId: 'id-in-web' },
])('a Tunnel of no namespace: for $what', ({ namespace, tunnelId }) => {
  expect(routePathOf(refs, { tunnelRef, cloudflare: {} }, namespace)).toMatchObject({ value: { tunnelId } });
});

test('who names no credentials uses those of the tunnel, in its account', () => {
  expect(routePathOf(refs, { tunnelRef, cloudflare: {} }, 'web')).toMatchObject({
    value: { account: { accountId: 'one', credentials: { name: 'tunnels' } }, virtualNetworkId: '' },
  });
});

test('who names credentials uses them, and the account of the tunnel all the same', () => {
  const cloudflare = { credentialsRef: { name: 'main' } };
  expect(routePathOf(refs, { tunnelRef, cloudflare }, 'web')).toMatchObject({
    value: { account: { accountId: 'one', credentials: { name: 'main' } } },
  });
});

test('a tunnel that is not there is told by name', () => {
  expect(routePathOf(refs, { tunnelRef: { ...tunnelRef, name: 'x' }, cloudflare: {} }, 'web')).toMatchObject({
    ok: false,
    reason: 'DependencyError',
    message: 'Tunnel web/x is not there',
  });
});

test('a network known by its name alone is looked up', () => {
  const spec = { tunnelRef, cloudflare: {}, virtualNetworkRef: { cloudflareName: 'garage' } };
  const lookups: Contribution[] = [];
  expect(routePathOf(fakeRefs(objects, [], lookups), spec, 'web')).toMatchObject({
    ok: false,
    state: 'waiting',
    message: 'virtual network garage: is being looked up',
  });
  expect(lookups).toMatchObject([{ syncState: { key: { accountId: 'one', name: 'garage', lookup: 'true' } } }]);
});
