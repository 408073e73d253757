import type { Family } from '../api/route.ts';
import { accountFamily } from './accounts.ts';
import { dnsFamily } from './dns/dns-family.ts';
import { hostnameRouteFamily } from './networks/hostname-route-family.ts';
import { networkRouteFamily } from './networks/network-route-family.ts';
import { virtualNetworkFamily } from './networks/virtual-networks.ts';
import { tunnelFamily } from './tunnels/tunnel-family.ts';
import { zoneFamily } from './zones/zone-family.ts';
import { zoneSettingFamily } from './zones/zone-settings.ts';

/** The products that the simulator has; a further one is a file with a table of routes and one line here. */
export const allFamilies: readonly Family[] = [
  accountFamily,
  zoneFamily,
  zoneSettingFamily,
  dnsFamily,
  tunnelFamily,
  virtualNetworkFamily,
  networkRouteFamily,
  hostnameRouteFamily,
];
