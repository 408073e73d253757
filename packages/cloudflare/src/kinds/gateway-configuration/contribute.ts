import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accountObjectStatus, accountObjectWords } from '../../refs/account-object.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { gatewayConfigurationContract } from '../../targets/gateway-configuration/contract.ts';
import { gatewayConfigurationKind } from './resource.ts';
import type { GatewayConfiguration } from './resource.ts';
import { toSettings } from './to-settings.ts';

export const gatewayConfigurationContributor = defineContributor<GatewayConfiguration, Account>({
  kind: gatewayConfigurationKind,
  ...finalizersOf('gatewayconfiguration'),
  resolve: ({ spec }, refs) => credentialsOf(refs, spec.cloudflare, undefined),
  contribute: ({ spec }, { accountId, credentials }) => {
    const config = { settings: { ...toSettings(spec.settings) } };
    return [
      contribution(gatewayConfigurationContract, { accountId }, config, { credentials, priority: spec.priority }),
    ];
  },
  status: ({ status }, view) => accountObjectStatus(view, status),
  ready: accountObjectWords,
});
