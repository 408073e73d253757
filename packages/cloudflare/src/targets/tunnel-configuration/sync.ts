import { isCloudflareError } from '@tributary/cloudflare-api';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { aggregateTunnel, nameOf } from './aggregate.ts';
import { tunnelConfigurationContract } from './contract.ts';
import type { TunnelConfigurationConfig, TunnelConfigurationKey } from './contract.ts';
import { mergeForeign, toRecord, withoutOurs } from './foreign-rules.ts';
import { isCatchAll } from './order-rules.ts';
import { differingFields, toRemote } from './tunnel-config.ts';
import type { RecordedConfig, RemoteConfig, WantedConfig } from './tunnel-config.ts';

/** Before the first PUT there is version 0 and no configuration. */
export type ObservedTunnelConfiguration = {
  readonly tunnelId: string;
  readonly version: number;
  readonly config: RemoteConfig | undefined;
};

/** The error of a tunnel that exists and was never configured. */
const neverConfigured = 1055;

/** Enough for people to find them; the rest is at Cloudflare. */
const mostForeignNames = 20;

export const tunnelConfigurationTarget = defineTarget<
  TunnelConfigurationKey,
  TunnelConfigurationConfig,
  WantedConfig,
  ObservedTunnelConfiguration
>({
  contract: tunnelConfigurationContract,
  aggregate: aggregateTunnel,
  scope: ({ tunnelId }) => `tunnel-configuration/${tunnelId}`,
  observe: { lookup: async ({ key }, call) => lookup(key, call) },
  idOf: ({ tunnelId }) => tunnelId,
  relation: () => 'same',
  difference: (wanted, { config }) => differingFields(toRemote(wanted), config ?? {}),
  shared: {
    record: toRecord,
    merge: (wanted, observed, recorded) =>
      mergeForeign(wanted, observed?.config, recorded as RecordedConfig | undefined),
    cleared: ({ config }, recorded) => withoutOurs(config ?? {}, recorded as RecordedConfig | undefined),
    entries: (recorded) =>
      ((recorded as RecordedConfig | undefined)?.rules ?? []).filter((rule) => !isCatchAll(rule)).map(nameOf),
  },
  update: async ({ key, wanted }, call) => put(key, toRemote(wanted), call),
  giveUp: () => 'clear',
  outputs: ({ version, tunnelId }, { ingress, foreign = [] }) => ({
    version,
    data: {
      tunnelId,
      rules: String(ingress.length - 1),
      ...(foreign.length > 0 && {
        foreignRules: String(foreign.length),
        foreign: foreign.slice(0, mostForeignNames).map(nameOf).join(', '),
      }),
    },
  }),
});

async function lookup(
  { accountId, tunnelId }: TunnelConfigurationKey,
  { api, signal }: Call,
): Promise<readonly ObservedTunnelConfiguration[]> {
  try {
    const answer = await api.zeroTrust.tunnels.cloudflared.configurations.get(
      tunnelId,
      { account_id: accountId },
      { signal },
    );
    return [toObserved(tunnelId, answer)];
  } catch (error) {
    if (!isCloudflareError(error, 'not-found')) throw error;
    return error.apiCode === neverConfigured ? [{ tunnelId, version: 0, config: undefined }] : [];
  }
}

async function put(
  { accountId, tunnelId }: TunnelConfigurationKey,
  config: RemoteConfig,
  { api, signal }: Call,
): Promise<ObservedTunnelConfiguration> {
  // The SDK's types know a part of what the API keeps; foreign keys must pass.
  const body = { account_id: accountId, config } as unknown as Parameters<
    typeof api.zeroTrust.tunnels.cloudflared.configurations.update
  >[1];
  const answer = await api.zeroTrust.tunnels.cloudflared.configurations.update(tunnelId, body, { signal });
  return toObserved(tunnelId, answer);
}

function toObserved(tunnelId: string, answer: object): ObservedTunnelConfiguration {
  const { version, config } = answer as { readonly version?: number; readonly config?: RemoteConfig | null };
  return { tunnelId, version: version ?? 0, config: config ?? undefined };
}
