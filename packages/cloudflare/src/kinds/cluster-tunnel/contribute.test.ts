import type { KubeObject } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { clusterTunnelKind } from './resource.ts';

describeKind('a tunnel for the whole cluster', {
  kind: clusterTunnelKind,
  object: () =>
    ({
      apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
      kind: 'ClusterTunnel',
      metadata: { name: 'office' },
      spec: { newTunnel: { name: 'office' }, cloudflare: {} },
    }) as KubeObject,
  change: () => ({ spec: { newTunnel: { name: 'office' }, cloudflare: {}, enableWarpRouting: true } }),
  writes: 11,
});
