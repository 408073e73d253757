import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import type { WireFields } from '../compare-fields.ts';
import { echoesOf, unechoedFields } from '../echoed-fields.ts';
import { fieldWins } from '../field-wins.ts';
import type { FieldValues } from '../field-wins.ts';
import { gatewayConfigurationContract } from './contract.ts';
import type { GatewayConfigurationConfig, GatewayConfigurationKey } from './contract.ts';
import { changedBlocks, valuesAt } from './settings-blocks.ts';

type Key = GatewayConfigurationKey;
type Desired = { readonly settings: FieldValues };
type Observed = { readonly accountId: string; readonly settings: WireFields };

/** The one configuration of an account: found, never made or deleted; only what somebody asks for is touched. */
export const gatewayConfigurationTarget = defineTarget<Key, GatewayConfigurationConfig, Desired, Observed>({
  contract: gatewayConfigurationContract,
  aggregate: (sources) => {
    const { values, losers } = fieldWins(sources, ({ settings }) => settings);
    return { ok: true, desired: { settings: values }, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: {
    lookup: async ({ key: { accountId } }, { api, signal }) => {
      const answer = await api.zeroTrust.gateway.configurations.get({ account_id: accountId }, { signal });
      return [toObserved(accountId, answer)];
    },
  },
  idOf: ({ accountId }) => accountId,
  relation: () => 'same',
  difference: ({ settings }, observed, remembered) => {
    const paths = Object.keys(settings);
    return unechoedFields(settings, valuesAt(observed.settings, paths), paths, { remembered });
  },
  memory: {
    after: ({ settings }, observed) => {
      const paths = Object.keys(settings);
      return echoesOf(settings, valuesAt(observed.settings, paths), paths);
    },
  },
  update: async ({ key, wanted, observed, fields }, call) =>
    edit(key, changedBlocks(wanted.settings, observed.settings, fields), call),
  // There is no "unset", and what the account had before is nobody's wish: the settings stay.
  giveUp: () => 'retain',
});

/** A block that is not in the request stays as it is. */
async function edit({ accountId }: Key, settings: WireFields, { api, signal }: Call): Promise<Observed> {
  const body = { account_id: accountId, settings };
  return toObserved(accountId, await api.zeroTrust.gateway.configurations.edit(body, { signal }));
}

function toObserved(accountId: string, answer: object | null): Observed {
  const { settings } = (answer ?? {}) as { readonly settings?: WireFields | null };
  return { accountId, settings: settings ?? {} };
}
