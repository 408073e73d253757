import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { warpConnectorKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

describeKind('a WARP connector', {
  kind: warpConnectorKind,
  prepare: async (world) => {
    await world.apply(
      `{ apiVersion: ${apiVersion}, kind: VirtualNetwork, metadata: { name: office }, spec: { cloudflare: {} } }`,
    );
  },
  object: () => ({
    apiVersion,
    kind: 'WARPConnector',
    metadata: { name: 'gate', namespace: 'default' },
    spec: { virtualNetworkRef: { name: 'office' }, routes: [{ network: '10.1.0.0/16' }], cloudflare: {} },
  }),
  change: () => ({
    spec: { virtualNetworkRef: { name: 'office' }, routes: [{ network: '10.2.0.0/16' }], cloudflare: {} },
  }),
  references: [
    {
      kind: {
        group: 'networking.cloudflare-operator.io',
        version: 'v1alpha2',
        kind: 'VirtualNetwork',
        plural: 'virtualnetworks',
        scope: 'Cluster',
      },
      ref: { name: 'office' },
    },
  ],
  // Two SyncStates, of which the connector's says first what is about to be made; the Secret and the Deployment.
  writes: 9,
});
