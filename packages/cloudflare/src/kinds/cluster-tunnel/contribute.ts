import { defineTunnelContributor } from '../../refs/tunnels/tunnel-contributor.ts';
import { clusterTunnelKind } from './resource.ts';

export const clusterTunnelContributor = defineTunnelContributor(clusterTunnelKind);
