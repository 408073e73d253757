import type { Family } from '../api/route.ts';
import { accountFamily } from './accounts.ts';
import { accessApplicationFamily } from './access/application-family.ts';
import { accessTagFamily, identityProviderFamily } from './access/identity-provider-family.ts';
import { accessGroupFamily, accessPolicyFamily } from './access/policy-family.ts';
import { serviceTokenFamily } from './access/service-token-family.ts';
import { originCaFamily } from './certificates/origin-ca-family.ts';
import { deviceProfileFamily } from './devices/device-profile-family.ts';
import { postureRuleFamily } from './devices/posture-rule-family.ts';
import { dnsFamily } from './dns/dns-family.ts';
import { gatewayConfigurationFamily } from './gateway/gateway-configuration-family.ts';
import { gatewayListFamily } from './gateway/gateway-list-family.ts';
import { gatewayRuleFamily } from './gateway/gateway-rule-family.ts';
import { hostnameRouteFamily } from './networks/hostname-route-family.ts';
import { networkRouteFamily } from './networks/network-route-family.ts';
import { virtualNetworkFamily } from './networks/virtual-networks.ts';
import { pagesDeploymentFamily } from './pages/deployment-family.ts';
import { pagesDomainFamily } from './pages/domain-family.ts';
import { pagesProjectFamily } from './pages/project-family.ts';
import { pagesUploadFamily } from './pages/upload-family.ts';
import { bucketDomainFamily } from './r2/bucket-domain-family.ts';
import { bucketFamily } from './r2/bucket-family.ts';
import { notificationFamily, queueFamily } from './r2/notification-family.ts';
import { registrarFamily } from './registrar-family.ts';
import { rulesetFamily } from './rulesets/ruleset-family.ts';
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
  rulesetFamily,
  accessApplicationFamily,
  accessPolicyFamily,
  accessGroupFamily,
  serviceTokenFamily,
  identityProviderFamily,
  accessTagFamily,
  gatewayRuleFamily,
  gatewayListFamily,
  gatewayConfigurationFamily,
  deviceProfileFamily,
  postureRuleFamily,
  bucketFamily,
  bucketDomainFamily,
  notificationFamily,
  queueFamily,
  originCaFamily,
  registrarFamily,
  pagesProjectFamily,
  pagesDomainFamily,
  pagesDeploymentFamily,
  pagesUploadFamily,
];
