import { defineTunnelContributor } from '../../refs/tunnels/tunnel-contributor.ts';
import { tunnelKind } from './resource.ts';

export const tunnelContributor = defineTunnelContributor(tunnelKind);
