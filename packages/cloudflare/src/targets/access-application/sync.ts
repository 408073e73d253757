import { listAll } from '@tributary/cloudflare-api';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { readUsedSecrets, withSecretsAt } from '../../engine/l5-sync/used-secrets.ts';
import { accountCalls } from '../account-object.ts';
import type { AccessObserved } from '../account-object.ts';
import { canonicalDuration } from '../access-policy-fields.ts';
import { differingFields } from '../compare-fields.ts';
import type { WireFields } from '../compare-fields.ts';
import { declaredPaths, differingPaths } from '../declared-fields.ts';
import { firstWins } from '../first-wins.ts';
import { accessApplicationContract } from './contract.ts';
import type { AccessApplicationConfig, AccessApplicationKey } from './contract.ts';
import { mergePolicies, recordOf } from './merge-policies.ts';
import type { AttachedPolicy, PolicyRecord, WantedPolicies } from './merge-policies.ts';
import { isSingleton, relationOf } from './relate-application.ts';

type Desired = {
  readonly name: string;
  readonly type: string;
  readonly body: WireFields;
  readonly policies: WantedPolicies;
  readonly secrets?: SecretUse | undefined;
};
/** What was said, what was sent and is never shown, and which policies are ours. */
type Memory = Partial<PolicyRecord> & { readonly paths?: readonly string[]; readonly unseen?: WireFields };

const calls = accountCalls<AccessApplicationKey>(({ zeroTrust }) => zeroTrust.access.applications);

export const accessApplicationTarget = defineTarget<
  AccessApplicationKey,
  AccessApplicationConfig,
  Desired,
  AccessObserved
>({
  contract: accessApplicationContract,
  aggregate: (sources) => {
    const { winner, losers } = firstWins(sources, `Access application ${sources[0]?.config.name ?? ''}`);
    const { name, type, fields, ownPolicies: own, sharedPolicies: shared, secrets } = winner.config;
    const body = { ...(isSingleton(type) ? {} : { name }), type, ...fields };
    return { ok: true, desired: { name, type, body, policies: { own, shared }, secrets }, losers };
  },
  scope: calls.scope,
  observe: calls.observe,
  idOf: calls.idOf,
  bornAt: calls.bornAt,
  relation: relationOf,
  difference: (wanted, observed, remembered) => {
    const { paths = [], unseen = {}, ...record } = (remembered ?? {}) as Memory;
    const { changed } = mergePolicies(wanted.policies, policiesOf(observed), toRecord(record));
    return [
      ...differingPaths(wanted.body, observed, paths, comparison),
      ...(changed ? ['policies'] : []),
      ...differingFields(unseenOf(wanted), unseen, ['gateway_rules', 'secrets']),
    ];
  },
  memory: {
    // A policy that we sent and know nothing of would pass for somebody else's, and stay for ever.
    before: ({ policies }) => (policies.own.length + policies.shared.length > 0 ? recordOf(policies) : undefined),
    after: (wanted) => ({
      ...recordOf(wanted.policies),
      paths: declaredPaths(wanted.body),
      unseen: unseenOf(wanted),
    }),
  },
  create: {
    repeatable: 'intent',
    run: async (wanted, key, call) => calls.create(await toBody(wanted, undefined, undefined, key, call), key, call),
  },
  update: async ({ key, wanted, observed, remembered }, call) =>
    calls.update(observed.id, await toBody(wanted, observed, remembered as Memory, key, call), key, call),
  giveUp: () => 'delete',
  remove: calls.remove,
  outputs: (observed, { policies }) => {
    const { aud, domain, self_hosted_domains: domains, saas_app: saas } = observed;
    const clientId = (saas as { readonly client_id?: string } | undefined)?.client_id;
    return {
      data: {
        ...(typeof aud === 'string' && { aud }),
        ...(typeof domain === 'string' && domain !== '' && { domain }),
        ...(Array.isArray(domains) && { selfHostedDomains: JSON.stringify(domains) }),
        ...(clientId && { saasAppClientId: clientId }),
        policyIds: JSON.stringify(mergePolicies(policies, policiesOf(observed), undefined).ids),
      },
    };
  },
});

const comparison = {
  sets: new Set(['tags', 'allowed_idps', 'destinations', 'custom_pages']),
  // Written by Cloudflare as it likes, or never shown.
  silent: new Set(['gateway_rules']),
  canonical: canonicalValue,
};

/** Durations are read back in other words, and names by provider as a map or as a list, as it pleases the API. */
function canonicalValue(path: string, value: unknown): unknown {
  if (path === 'session_duration') return canonicalDuration(value);
  if (!Array.isArray(value) || !/^saas_app\.custom_(attributes|claims)$/.test(path)) return value;
  return value.map((item: { readonly source?: { readonly name_by_idp?: unknown } }) => {
    const names = item.source?.name_by_idp;
    if (!Array.isArray(names)) return item;
    const pairs = names.map(({ idp_id: id, source_name: name }: Record<string, string>) => [id, name]);
    return { ...item, source: { ...item.source, name_by_idp: Object.fromEntries(pairs) as unknown } };
  });
}

function unseenOf({ body, secrets }: Desired): WireFields {
  return {
    ...(body['gateway_rules'] !== undefined && { gateway_rules: body['gateway_rules'] }),
    ...(secrets && { secrets: secrets.hash }),
  };
}

/** Options of an application that no field of the object is for: what a person has set there stays. */
const notOurs = [
  'allow_iframe',
  'eager_redirect_cookie_setting',
  'mfa_config',
  'oauth_configuration',
  'read_service_tokens_from_header',
  'use_clientless_isolation_app_launcher_url',
] as const;

async function toBody(
  { body, policies, secrets }: Desired,
  observed: AccessObserved | undefined,
  remembered: Memory | undefined,
  { accountId }: AccessApplicationKey,
  call: Call,
): Promise<object> {
  await makeTags(body['tags'], accountId, call);
  const kept = notOurs.flatMap((field) => (observed?.[field] === undefined ? [] : [[field, observed[field]] as const]));
  const there = observed ? policiesOf(observed) : [];
  const { list } = mergePolicies(policies, there, toRecord(remembered));
  // Some types have no policies at all, and take not even an empty list.
  const some = list.length + there.length > 0 ? { policies: list } : {};
  const whole = { ...Object.fromEntries(kept), ...body, ...some };
  return secrets ? withSecretsAt(whole, await readUsedSecrets(secrets, call)) : whole;
}

/** A tag must be there before an application can carry it. It is by its name, so making it twice is making it once. */
async function makeTags(wanted: unknown, accountId: string, { api, signal }: Call): Promise<void> {
  if (!Array.isArray(wanted) || wanted.length === 0) return;
  const { tags } = api.zeroTrust.access;
  const there = await listAll(tags.list({ account_id: accountId, per_page: 1000 }, { signal }));
  const names = new Set(there.map(({ name }) => name));
  for (const name of wanted as readonly string[]) {
    if (!names.has(name)) await tags.create({ account_id: accountId, name }, { signal });
  }
}

function policiesOf(observed: AccessObserved): readonly AttachedPolicy[] {
  const policies = (observed['policies'] ?? []) as readonly AttachedPolicy[];
  // Where the API tells no place, the place in the list is meant.
  return policies.map((policy, index) => ({ ...policy, precedence: policy.precedence ?? index + 1 }));
}

function toRecord(memory: Memory | undefined): PolicyRecord {
  return { names: memory?.names ?? [], attached: memory?.attached ?? [] };
}
