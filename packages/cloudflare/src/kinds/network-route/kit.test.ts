import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { networkRouteKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const spec = {
  network: '10.20.0.0/16',
  tunnelRef: { name: 'office' },
  virtualNetworkRef: { name: 'office' },
  cloudflare: {},
};

describeKind('a network route', {
  kind: networkRouteKind,
  prepare: async (world) => {
    await world.apply(`
{ apiVersion: ${apiVersion}, kind: ClusterTunnel, metadata: { name: office }, spec: { newTunnel: { name: office }, cloudflare: {} } }
---
{ apiVersion: ${apiVersion}, kind: VirtualNetwork, metadata: { name: office }, spec: { cloudflare: {} } }`);
  },
  object: () => ({ apiVersion, kind: 'NetworkRoute', metadata: { name: 'lan' }, spec }),
  change: () => ({ spec: { comment: 'changed' } }),
  references: ['virtualnetworks', 'clustertunnels'].map((plural) => ({
    kind: { group: 'networking.cloudflare-operator.io', version: 'v1alpha2', kind: 'Any', plural, scope: 'Cluster' },
    ref: { name: 'office' },
  })),
});
