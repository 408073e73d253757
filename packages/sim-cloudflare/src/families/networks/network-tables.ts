import { defineTable } from '../../store/table.ts';

export type VirtualNetwork = {
  readonly id: string;
  readonly name: string;
  readonly comment: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly deletedAt: string | null;
};

export type NetworkRoute = {
  readonly id: string;
  /** Canonical. */
  readonly network: string;
  readonly tunnelId: string;
  readonly virtualNetworkId: string;
  readonly comment: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
};

export type HostnameRoute = {
  readonly id: string;
  readonly hostname: string;
  readonly tunnelId: string;
  readonly comment: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
};

/** All three by account. */
export const virtualNetworks = defineTable<VirtualNetwork>('virtual_networks');
export const networkRoutes = defineTable<NetworkRoute>('routes');
export const hostnameRoutes = defineTable<HostnameRoute>('hostname_routes');
