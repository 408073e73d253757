import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accountObjectStatus, accountObjectWords } from '../../refs/account-object.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { routedNetworks } from '../../refs/network-routes.ts';
import { deviceSettingsPolicyContract } from '../../targets/device-settings-policy/contract.ts';
import { deviceSettingsPolicyKind } from './resource.ts';
import type { DeviceSettingsPolicy } from './resource.ts';
import { modeOf, toEntries } from './to-entries.ts';
import type { Entries } from './to-entries.ts';

type Resolved = Entries & { readonly account: Account };

export const deviceSettingsPolicyContributor = defineContributor<DeviceSettingsPolicy, Resolved>({
  kind: deviceSettingsPolicyKind,
  ...finalizersOf('devicesettingspolicy'),
  resolve: (object, refs) => {
    const account = credentialsOf(refs, object.spec.cloudflare, undefined);
    if (!account.ok) return account;
    const entries = toEntries(object, refs);
    return entries.ok ? { ok: true, value: { ...entries.value, account: account.value } } : entries;
  },
  contribute: ({ spec }, { account, config }) => {
    const { accountId, credentials } = account;
    const key = { accountId, profile: spec.profileId ?? '' };
    return [contribution(deviceSettingsPolicyContract, key, config, { credentials, priority: spec.priority })];
  },
  verdict: ({ spec }) => {
    if (!spec.splitTunnelExclude?.length || !spec.splitTunnelInclude?.length) return undefined;
    const idle = modeOf(spec) === 'include' ? 'splitTunnelExclude' : 'splitTunnelInclude';
    return { message: `a profile has one mode: spec.${idle} is not in force` };
  },
  status: ({ spec, status }, view, refs) => {
    const { autoPopulateFromRoutes: wish } = spec;
    return {
      ...accountObjectStatus(view, status),
      splitTunnelExcludeCount: spec.splitTunnelExclude?.length ?? 0,
      splitTunnelIncludeCount: spec.splitTunnelInclude?.length ?? 0,
      fallbackDomainsCount: spec.fallbackDomains?.length ?? 0,
      autoPopulatedRoutesCount: wish?.enabled ? routedNetworks(refs, wish.labelSelector ?? {}).length : undefined,
    };
  },
  ready: accountObjectWords,
});
