import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { readUsedSecrets, withSecretsAt } from '../../engine/l5-sync/used-secrets.ts';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';
import { accountCalls, namedAccessObject, unseenDifference } from '../account-object.ts';
import type { AccessDesired, AccessObserved } from '../account-object.ts';
import { declaredPaths, differingPaths } from '../declared-fields.ts';
import { firstWins } from '../first-wins.ts';
import { accessIdentityProviderContract } from './contract.ts';
import type { AccessIdentityProviderConfig, AccessIdentityProviderKey } from './contract.ts';

type Desired = AccessDesired & { readonly type?: string; readonly secrets?: SecretUse | undefined };
type Key = AccessIdentityProviderKey;
type Memory = { readonly paths?: readonly string[] };

const calls = accountCalls<Key>(({ zeroTrust }) => zeroTrust.identityProviders);
const named = namedAccessObject(calls);

export const accessIdentityProviderTarget = defineTarget<Key, AccessIdentityProviderConfig, Desired, AccessObserved>({
  ...named,
  contract: accessIdentityProviderContract,
  aggregate: (sources, key) => {
    const { winner, losers } = firstWins(sources, `identity provider ${sources[0]?.config.name ?? ''}`);
    const { name, config = {}, scimConfig, secrets } = winner.config;
    if ('lookup' in key) return { ok: true, desired: { name, body: {}, lookup: true }, losers: [] };
    const { type } = key;
    const body = { name, type, config, ...(scimConfig && { scim_config: scimConfig }) };
    // The hash stands for secrets that were sent: they are sent again when it is another.
    const address = config['redirect_url'];
    const unseen = {
      ...(secrets && { secrets: secrets.hash }),
      ...(address !== undefined && { redirect_url: address }),
    };
    return { ok: true, desired: { name, type, body, unseen, secrets }, losers };
  },
  relation: ({ name, type }, observed) => {
    if (type === 'onetimepin') return observed['type'] === type ? 'same' : 'none';
    return observed.name === name && (type ?? observed['type']) === observed['type'] ? 'same' : 'none';
  },
  difference: (wanted, observed, remembered) => {
    if (wanted.lookup) return [];
    const { paths = [] } = (remembered ?? {}) as Memory;
    // Shown as Cloudflare likes; or out of a Secret, which comes before what the object says.
    const silent = new Set(['config.redirect_url', ...Object.keys(wanted.secrets?.entries ?? {})]);
    return [
      ...differingPaths(wanted.body, observed, paths, { silent }),
      ...unseenDifference(wanted, observed, remembered),
    ];
  },
  memory: {
    after: ({ body, unseen, lookup }) => (lookup ? undefined : { paths: declaredPaths(body), unseen }),
  },
  create: {
    ...(named.create ?? { repeatable: 'intent' }),
    run: async (wanted, key, call) => calls.create(await toBody(wanted, call), key, call),
  },
  update: async ({ key, wanted, observed, remembered }, call) =>
    calls.update(observed.id, await toBody(withoutScim(wanted, remembered as Memory | undefined), call), key, call),
  // The account's one-time pins were there before us, and may be the only way in: they stay when we only found them.
  giveUp: ({ key, created }) => {
    if ('lookup' in key || (key.type === 'onetimepin' && !created)) return 'retain';
    return 'delete';
  },
  outputs: ({ name }) => ({ data: { name } }),
});

/** What was said once and is not any more is switched off: left out of a request, it might stay on. */
function withoutScim(wanted: Desired, { paths = [] }: Memory = {}): Desired {
  const isTakenBack = !('scim_config' in wanted.body) && paths.some((path) => path.startsWith('scim_config'));
  return isTakenBack ? { ...wanted, body: { ...wanted.body, scim_config: { enabled: false } } } : wanted;
}

async function toBody({ body, secrets }: Desired, call: Call): Promise<object> {
  return secrets ? withSecretsAt(body, await readUsedSecrets(secrets, call)) : body;
}
