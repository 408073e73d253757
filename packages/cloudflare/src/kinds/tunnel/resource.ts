import { defineCustomKind } from '@tributary/runtime';
import { tunnelConversion, tunnelVersions } from '../../refs/tunnels/tunnel-shape.ts';

export const tunnelKind = defineCustomKind({
  group: 'networking.cloudflare-operator.io',
  kind: 'Tunnel',
  plural: 'tunnels',
  scope: 'Namespaced',
  versions: tunnelVersions,
  conversion: tunnelConversion,
});
