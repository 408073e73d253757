import type { AnyCustomKind } from '@tributary/runtime';
import type { AnyContributor } from './engine/l2-controllers/contributor.ts';
import { syncStateKind } from './engine/l4-state/sync-state.ts';
import type { AnyTarget } from './engine/l5-sync/target.ts';
import { accessApplicationContributor } from './kinds/access-application/contribute.ts';
import { accessApplicationKind } from './kinds/access-application/resource.ts';
import { accessGroupContributor } from './kinds/access-group/contribute.ts';
import { accessGroupKind } from './kinds/access-group/resource.ts';
import { accessPolicyContributor } from './kinds/access-policy/contribute.ts';
import { accessPolicyKind } from './kinds/access-policy/resource.ts';
import { accessServiceTokenContributor } from './kinds/access-service-token/contribute.ts';
import { accessServiceTokenKind } from './kinds/access-service-token/resource.ts';
import { accessIdentityProviderContributor } from './kinds/access-identity-provider/contribute.ts';
import { accessIdentityProviderKind } from './kinds/access-identity-provider/resource.ts';
import { accessTunnelContributor } from './kinds/access-tunnel/contribute.ts';
import { accessTunnelKind } from './kinds/access-tunnel/resource.ts';
import { accessApplicationTarget } from './targets/access-application/sync.ts';
import { accessGroupTarget } from './targets/access-group/sync.ts';
import { accessPolicyTarget } from './targets/access-policy/sync.ts';
import { accessServiceTokenTarget } from './targets/access-service-token/sync.ts';
import { accessIdentityProviderTarget } from './targets/access-identity-provider/sync.ts';
import { gatewayRuleContributor } from './kinds/gateway-rule/contribute.ts';
import { gatewayRuleKind } from './kinds/gateway-rule/resource.ts';
import { gatewayRuleTarget } from './targets/gateway-rule/sync.ts';
import { gatewayListContributor } from './kinds/gateway-list/contribute.ts';
import { gatewayListKind } from './kinds/gateway-list/resource.ts';
import { gatewayListTarget } from './targets/gateway-list/sync.ts';
import { gatewayConfigurationContributor } from './kinds/gateway-configuration/contribute.ts';
import { gatewayConfigurationKind } from './kinds/gateway-configuration/resource.ts';
import { gatewayConfigurationTarget } from './targets/gateway-configuration/sync.ts';
import { devicePostureRuleContributor } from './kinds/device-posture-rule/contribute.ts';
import { devicePostureRuleKind } from './kinds/device-posture-rule/resource.ts';
import { devicePostureRuleTarget } from './targets/device-posture-rule/sync.ts';
import { deviceSettingsPolicyContributor } from './kinds/device-settings-policy/contribute.ts';
import { deviceSettingsPolicyKind } from './kinds/device-settings-policy/resource.ts';
import { deviceSettingsPolicyTarget } from './targets/device-settings-policy/sync.ts';
import { cloudflareCredentialsContributor } from './kinds/cloudflare-credentials/contribute.ts';
import { cloudflareCredentialsKind } from './kinds/cloudflare-credentials/resource.ts';
import { cloudflareDomainContributor } from './kinds/cloudflare-domain/contribute.ts';
import { cloudflareDomainKind } from './kinds/cloudflare-domain/resource.ts';
import { dnsRecordContributor } from './kinds/dns-record/contribute.ts';
import { dnsRecordKind } from './kinds/dns-record/resource.ts';
import { networkRouteContributor } from './kinds/network-route/contribute.ts';
import { networkRouteKind } from './kinds/network-route/resource.ts';
import { privateServiceContributor } from './kinds/private-service/contribute.ts';
import { privateServiceKind } from './kinds/private-service/resource.ts';
import { clusterTunnelContributor } from './kinds/cluster-tunnel/contribute.ts';
import { clusterTunnelKind } from './kinds/cluster-tunnel/resource.ts';
import { gatewayClassContributor } from './kinds/gateway-class/contribute.ts';
import { gatewayContributor } from './kinds/gateway/contribute.ts';
import { grpcRouteContributor } from './kinds/grpc-route/contribute.ts';
import { httpRouteContributor } from './kinds/http-route/contribute.ts';
import { tcpRouteContributor } from './kinds/tcp-route/contribute.ts';
import { tunnelGatewayClassConfigContributor } from './kinds/tunnel-gateway-class-config/contribute.ts';
import { tunnelGatewayClassConfigKind } from './kinds/tunnel-gateway-class-config/resource.ts';
import { udpRouteContributor } from './kinds/udp-route/contribute.ts';
import { ingressContributor } from './kinds/ingress/contribute.ts';
import { tunnelBindingContributor } from './kinds/tunnel-binding/contribute.ts';
import { tunnelBindingKind } from './kinds/tunnel-binding/resource.ts';
import { tunnelIngressClassConfigContributor } from './kinds/tunnel-ingress-class-config/contribute.ts';
import { tunnelIngressClassConfigKind } from './kinds/tunnel-ingress-class-config/resource.ts';
import { tunnelContributor } from './kinds/tunnel/contribute.ts';
import { tunnelKind } from './kinds/tunnel/resource.ts';
import { tunnelConfigurationTarget } from './targets/tunnel-configuration/sync.ts';
import { tunnelLifecycleTarget } from './targets/tunnel-lifecycle/sync.ts';
import { virtualNetworkContributor } from './kinds/virtual-network/contribute.ts';
import { virtualNetworkKind } from './kinds/virtual-network/resource.ts';
import { cloudflareCredentialsTarget } from './targets/cloudflare-credentials/sync.ts';
import { cloudflareDomainTarget } from './targets/cloudflare-domain/sync.ts';
import { dnsRecordTarget } from './targets/dns-record/sync.ts';
import { networkRouteTarget, privateServiceTarget } from './targets/network-route/sync.ts';
import { pagesDomainContributor } from './kinds/pages-domain/contribute.ts';
import { pagesDomainKind } from './kinds/pages-domain/resource.ts';
import { pagesDomainTarget } from './targets/pages-domain/sync.ts';
import { pagesDeploymentContributor } from './kinds/pages-deployment/contribute.ts';
import { pagesDeploymentKind } from './kinds/pages-deployment/resource.ts';
import { pagesDeploymentTarget } from './targets/pages-deployment/sync.ts';
import { pagesPromotionContributor } from './kinds/pages-promotion/contribute.ts';
import { pagesPromotionKind } from './kinds/pages-promotion/resource.ts';
import { pagesPromotionTarget } from './targets/pages-promotion/sync.ts';
import { pagesProjectContributor } from './kinds/pages-project/contribute.ts';
import { pagesProjectKind } from './kinds/pages-project/resource.ts';
import { pagesProjectTarget } from './targets/pages-project/sync.ts';
import { r2BucketContributor } from './kinds/r2-bucket/contribute.ts';
import { r2BucketKind } from './kinds/r2-bucket/resource.ts';
import { r2BucketDomainContributor } from './kinds/r2-bucket-domain/contribute.ts';
import { r2BucketDomainKind } from './kinds/r2-bucket-domain/resource.ts';
import { r2BucketNotificationContributor } from './kinds/r2-bucket-notification/contribute.ts';
import { r2BucketNotificationKind } from './kinds/r2-bucket-notification/resource.ts';
import { r2BucketTarget } from './targets/r2-bucket/sync.ts';
import { r2BucketDomainTarget } from './targets/r2-bucket-domain/sync.ts';
import { r2BucketNotificationTarget } from './targets/r2-bucket-notification/sync.ts';
import { redirectRuleContributor } from './kinds/redirect-rule/contribute.ts';
import { redirectRuleKind } from './kinds/redirect-rule/resource.ts';
import { transformRuleContributor } from './kinds/transform-rule/contribute.ts';
import { transformRuleKind } from './kinds/transform-rule/resource.ts';
import { zoneRulesetContributor } from './kinds/zone-ruleset/contribute.ts';
import { zoneRulesetKind } from './kinds/zone-ruleset/resource.ts';
import { zoneRulesetTarget } from './targets/zone-ruleset/sync.ts';
import { domainRegistrationContributor } from './kinds/domain-registration/contribute.ts';
import { domainRegistrationKind } from './kinds/domain-registration/resource.ts';
import { domainRegistrationTarget } from './targets/domain-registration/sync.ts';
import { originCaCertificateContributor } from './kinds/origin-ca-certificate/contribute.ts';
import { originCaCertificateKind } from './kinds/origin-ca-certificate/resource.ts';
import { originCaCertificateTarget } from './targets/origin-ca-certificate/sync.ts';
import { warpConnectorContributor } from './kinds/warp-connector/contribute.ts';
import { warpConnectorKind } from './kinds/warp-connector/resource.ts';
import { warpConnectorTarget } from './targets/warp-connector/sync.ts';
import { virtualNetworkTarget } from './targets/virtual-network/sync.ts';

// The one list of what the operator knows: a new kind is a line in each list that it has something for.

/** Kinds with a CustomResourceDefinition of ours. */
export const allKinds: readonly AnyCustomKind[] = [
  syncStateKind,
  cloudflareCredentialsKind,
  cloudflareDomainKind,
  dnsRecordKind,
  virtualNetworkKind,
  networkRouteKind,
  privateServiceKind,
  tunnelKind,
  clusterTunnelKind,
  tunnelBindingKind,
  tunnelIngressClassConfigKind,
  tunnelGatewayClassConfigKind,
  zoneRulesetKind,
  transformRuleKind,
  redirectRuleKind,
  r2BucketKind,
  r2BucketDomainKind,
  r2BucketNotificationKind,
  pagesProjectKind,
  pagesDomainKind,
  pagesDeploymentKind,
  pagesPromotionKind,
  accessApplicationKind,
  accessGroupKind,
  accessPolicyKind,
  accessServiceTokenKind,
  accessIdentityProviderKind,
  accessTunnelKind,
  gatewayRuleKind,
  gatewayListKind,
  gatewayConfigurationKind,
  devicePostureRuleKind,
  deviceSettingsPolicyKind,
  originCaCertificateKind,
  domainRegistrationKind,
  warpConnectorKind,
];

/** Layer 2: kinds whose objects ask for something. */
export const contributors: readonly AnyContributor[] = [
  cloudflareCredentialsContributor,
  cloudflareDomainContributor,
  dnsRecordContributor,
  virtualNetworkContributor,
  networkRouteContributor,
  privateServiceContributor,
  tunnelContributor,
  clusterTunnelContributor,
  tunnelBindingContributor,
  tunnelIngressClassConfigContributor,
  ingressContributor,
  tunnelGatewayClassConfigContributor,
  gatewayClassContributor,
  gatewayContributor,
  httpRouteContributor,
  grpcRouteContributor,
  tcpRouteContributor,
  udpRouteContributor,
  zoneRulesetContributor,
  transformRuleContributor,
  redirectRuleContributor,
  r2BucketContributor,
  r2BucketDomainContributor,
  r2BucketNotificationContributor,
  pagesProjectContributor,
  pagesDomainContributor,
  pagesDeploymentContributor,
  pagesPromotionContributor,
  accessApplicationContributor,
  accessGroupContributor,
  accessPolicyContributor,
  accessServiceTokenContributor,
  accessIdentityProviderContributor,
  accessTunnelContributor,
  gatewayRuleContributor,
  gatewayListContributor,
  gatewayConfigurationContributor,
  devicePostureRuleContributor,
  deviceSettingsPolicyContributor,
  originCaCertificateContributor,
  domainRegistrationContributor,
  warpConnectorContributor,
];

/** Layer 5: what can be asked for. */
export const targets: readonly AnyTarget[] = [
  cloudflareCredentialsTarget,
  cloudflareDomainTarget,
  dnsRecordTarget,
  virtualNetworkTarget,
  networkRouteTarget,
  privateServiceTarget,
  tunnelLifecycleTarget,
  tunnelConfigurationTarget,
  zoneRulesetTarget,
  r2BucketTarget,
  r2BucketDomainTarget,
  r2BucketNotificationTarget,
  pagesProjectTarget,
  pagesDomainTarget,
  pagesDeploymentTarget,
  pagesPromotionTarget,
  accessApplicationTarget,
  accessGroupTarget,
  accessPolicyTarget,
  accessServiceTokenTarget,
  accessIdentityProviderTarget,
  gatewayRuleTarget,
  gatewayListTarget,
  gatewayConfigurationTarget,
  devicePostureRuleTarget,
  deviceSettingsPolicyTarget,
  originCaCertificateTarget,
  domainRegistrationTarget,
  warpConnectorTarget,
];
