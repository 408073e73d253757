/**
 * The parts of the API that the operator calls. The `Base` classes carry no sub-resources along, so that a bundle holds
 * only what is listed here; a new product is an import and a line.
 */
import { BaseAccounts } from 'cloudflare/resources/accounts/accounts';
import { BaseTokens as BaseAccountTokens } from 'cloudflare/resources/accounts/tokens/tokens';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { BaseTokens as BaseUserTokens } from 'cloudflare/resources/user/tokens/tokens';
import { BaseHostnameRoutes } from 'cloudflare/resources/zero-trust/networks/hostname-routes';
import { BaseRoutes } from 'cloudflare/resources/zero-trust/networks/routes/routes';
import { BaseVirtualNetworks } from 'cloudflare/resources/zero-trust/networks/virtual-networks';
import { BaseCloudflared } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/cloudflared';
import { BaseConfigurations } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/configurations';
import { BaseConnections } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/connections';
import { BaseToken } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/token';
import { BaseTunnels } from 'cloudflare/resources/zero-trust/tunnels/tunnels';
import { BaseConnections as BaseConnectorConnections } from 'cloudflare/resources/zero-trust/tunnels/warp-connector/connections';
import { BaseToken as BaseConnectorToken } from 'cloudflare/resources/zero-trust/tunnels/warp-connector/token';
import { BaseWARPConnector } from 'cloudflare/resources/zero-trust/tunnels/warp-connector/warp-connector';
import { BaseSettings } from 'cloudflare/resources/zones/settings';
import { BaseZones } from 'cloudflare/resources/zones/zones';
import type { createClient } from 'cloudflare/tree-shakable';

export const resources = [
  BaseAccounts,
  BaseAccountTokens,
  BaseUserTokens,
  BaseZones,
  BaseSettings,
  BaseRecords,
  BaseTunnels,
  BaseCloudflared,
  BaseConfigurations,
  BaseConnections,
  BaseToken,
  BaseWARPConnector,
  BaseConnectorConnections,
  BaseConnectorToken,
  BaseVirtualNetworks,
  BaseRoutes,
  BaseHostnameRoutes,
] as const;

/** The SDK's client with these resources at their usual places: `api.zeroTrust.tunnels.cloudflared.create(…)`. */
export type CloudflareApi = ReturnType<typeof createClient<typeof resources>>;
