/**
 * The parts of the API that the operator calls. The `Base` classes carry no sub-resources along, so that a bundle holds
 * only what is listed here; a new product is an import and a line.
 */
import { BaseAccounts } from 'cloudflare/resources/accounts/accounts';
import { BaseTokens as BaseAccountTokens } from 'cloudflare/resources/accounts/tokens/tokens';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { BaseAssets } from 'cloudflare/resources/pages/assets';
import { BaseDeployments } from 'cloudflare/resources/pages/projects/deployments/deployments';
import { BaseDomains as BasePagesDomains } from 'cloudflare/resources/pages/projects/domains';
import { BaseProjects } from 'cloudflare/resources/pages/projects/projects';
import { BaseOriginCACertificates } from 'cloudflare/resources/origin-ca-certificates/origin-ca-certificates';
import { BaseQueues } from 'cloudflare/resources/queues/queues';
import { BaseBuckets } from 'cloudflare/resources/r2/buckets/buckets';
import { BaseCORS } from 'cloudflare/resources/r2/buckets/cors';
import { BaseCustom } from 'cloudflare/resources/r2/buckets/domains/custom';
import { BaseEventNotifications } from 'cloudflare/resources/r2/buckets/event-notifications';
import { BaseLifecycle } from 'cloudflare/resources/r2/buckets/lifecycle';
import { BaseRegistrations } from 'cloudflare/resources/registrar/registrations';
import { BasePhases } from 'cloudflare/resources/rulesets/phases/phases';
import { BaseTokens as BaseUserTokens } from 'cloudflare/resources/user/tokens/tokens';
import { BaseApplications } from 'cloudflare/resources/zero-trust/access/applications/applications';
import { BaseGroups } from 'cloudflare/resources/zero-trust/access/groups';
import { BasePolicies } from 'cloudflare/resources/zero-trust/access/policies';
import { BaseServiceTokens } from 'cloudflare/resources/zero-trust/access/service-tokens';
import { BaseTags } from 'cloudflare/resources/zero-trust/access/tags';
import { BaseCustom as BaseCustomProfiles } from 'cloudflare/resources/zero-trust/devices/policies/custom/custom';
import { BaseExcludes as BaseCustomExcludes } from 'cloudflare/resources/zero-trust/devices/policies/custom/excludes';
import { BaseFallbackDomains as BaseCustomFallbackDomains } from 'cloudflare/resources/zero-trust/devices/policies/custom/fallback-domains';
import { BaseIncludes as BaseCustomIncludes } from 'cloudflare/resources/zero-trust/devices/policies/custom/includes';
import { BaseDefault as BaseDefaultProfile } from 'cloudflare/resources/zero-trust/devices/policies/default/default';
import { BaseExcludes as BaseDefaultExcludes } from 'cloudflare/resources/zero-trust/devices/policies/default/excludes';
import { BaseFallbackDomains as BaseDefaultFallbackDomains } from 'cloudflare/resources/zero-trust/devices/policies/default/fallback-domains';
import { BaseIncludes as BaseDefaultIncludes } from 'cloudflare/resources/zero-trust/devices/policies/default/includes';
import { BasePosture } from 'cloudflare/resources/zero-trust/devices/posture/posture';
import { BaseConfigurations as BaseGatewayConfigurations } from 'cloudflare/resources/zero-trust/gateway/configurations/configurations';
import { BaseItems as BaseGatewayListItems } from 'cloudflare/resources/zero-trust/gateway/lists/items';
import { BaseLists as BaseGatewayLists } from 'cloudflare/resources/zero-trust/gateway/lists/lists';
import { BaseRules as BaseGatewayRules } from 'cloudflare/resources/zero-trust/gateway/rules';
import { BaseIdentityProviders } from 'cloudflare/resources/zero-trust/identity-providers/identity-providers';
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
  BaseApplications,
  BasePolicies,
  BaseGroups,
  BaseServiceTokens,
  BaseTags,
  BaseIdentityProviders,
  BaseGatewayRules,
  BaseGatewayLists,
  BaseGatewayListItems,
  BaseGatewayConfigurations,
  BasePosture,
  BaseDefaultProfile,
  BaseDefaultExcludes,
  BaseDefaultIncludes,
  BaseDefaultFallbackDomains,
  BaseCustomProfiles,
  BaseCustomExcludes,
  BaseCustomIncludes,
  BaseCustomFallbackDomains,
  BasePhases,
  BaseBuckets,
  BaseCORS,
  BaseLifecycle,
  BaseCustom,
  BaseEventNotifications,
  BaseQueues,
  BaseOriginCACertificates,
  BaseRegistrations,
  BaseProjects,
  BasePagesDomains,
  BaseDeployments,
  BaseAssets,
] as const;

/** The SDK's client with these resources at their usual places: `api.zeroTrust.tunnels.cloudflared.create(…)`. */
export type CloudflareApi = ReturnType<typeof createClient<typeof resources>>;
