import { defineCustomKind } from '@tributary/runtime';
import { tunnelConversion, tunnelVersions } from '../../refs/tunnels/tunnel-shape.ts';

export const clusterTunnelKind = defineCustomKind({
  group: 'networking.cloudflare-operator.io',
  kind: 'ClusterTunnel',
  plural: 'clustertunnels',
  scope: 'Cluster',
  versions: tunnelVersions,
  conversion: tunnelConversion,
});
