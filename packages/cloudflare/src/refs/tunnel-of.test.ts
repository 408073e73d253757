import { describe, expect, test } from 'vitest';
import { fakeRefs } from './testing/fake-refs.ts';
import { credentialsObject, made } from './testing/objects.ts';
import { tunnelOf } from './tunnel-of.ts';
import { virtualNetworkOf } from './virtual-network-of.ts';

const cloudflare = { credentialsRef: { name: 'main' } };
const ids = { tunnelId: 't1', tunnelName: 'edge', accountId: 'acc', zoneId: '' };
const inNamespace = (namespace: string, name: string, status?: object) => {
  const object = made('Tunnel', name, { cloudflare }, status && { status });
  return { ...object, metadata: { ...object.metadata, namespace } };
};
const refs = fakeRefs([
  credentialsObject('main'),
  made('ClusterTunnel', 'edge', { cloudflare }, { status: ids }),
  inNamespace('apps', 'edge', { ...ids, tunnelId: 't2' }),
  inNamespace('apps', 'new'),
  made('VirtualNetwork', 'office', {}, { status: { virtualNetworkId: 'v1' } }),
  made('VirtualNetwork', 'new', {}),
]);

describe('a tunnel', () => {
  test.each([
    ['is cluster-wide when nothing else is said', { name: 'edge' }, 't1'],
    ['is looked for in the given namespace by default', { kind: 'Tunnel', name: 'edge' }, 't2'],
    [
      'or in the one that is named; the case of the kind does not matter',
      { kind: 'tunnel', name: 'edge', namespace: 'apps' },
      't2',
    ],
    ['that is cluster-wide has no namespace', { kind: 'ClusterTunnel', name: 'edge', namespace: 'apps' }, 't1'],
  ])('%s', (_, ref, tunnelId) => {
    expect(tunnelOf(refs, ref, 'apps')).toMatchObject({
      ok: true,
      value: { tunnelId, tunnelName: 'edge', accountId: 'acc', credentials: { name: 'main' } },
    });
  });

  test('that is not there is named', () => {
    expect(tunnelOf(refs, { kind: 'Tunnel', name: 'edge' }, 'default')).toMatchObject({
      state: 'broken',
      reason: 'DependencyError',
      message: 'Tunnel default/edge is not there',
    });
  });

  test('that has no id yet is waited for', () => {
    expect(tunnelOf(refs, { kind: 'Tunnel', name: 'new' }, 'apps')).toMatchObject({ state: 'waiting' });
  });
});

describe('a virtual network', () => {
  test.each([
    ['that nobody names is the default one', undefined, ''],
    ['is known by its object', { name: 'office' }, 'v1'],
    ['named by its id needs no object', { cloudflareId: 'v9', name: 'office' }, 'v9'],
  ])('%s', (_, ref, value) => {
    expect(virtualNetworkOf(refs, ref)).toEqual({ ok: true, value });
  });

  test('that is not there is named, one without an id is waited for', () => {
    expect(virtualNetworkOf(refs, { name: 'x' })).toMatchObject({
      state: 'broken',
      message: 'VirtualNetwork x is not there',
    });
    expect(virtualNetworkOf(refs, { name: 'new' })).toMatchObject({ state: 'waiting' });
  });
});
