import { listAll } from '@tributary/cloudflare-api';
import type { Call } from '../../engine/l5-sync/target.ts';
import { unlessGone } from '../unless-gone.ts';
import type { DeviceSettingsPolicyKey } from './contract.ts';
import type { Entry } from './entry.ts';
import type { ObservedProfile } from './foreign-entries.ts';

export type ListName = 'exclude' | 'include' | 'fallback_domains';

type Profile = Readonly<Partial<Record<ListName, readonly Entry[] | null>>>;
type Options = { readonly signal: AbortSignal };
type Answer = Parameters<typeof listAll<object>>[0];

/** The calls of a list take the id of a custom profile first; those of the default one have none. */
type ListCalls = {
  readonly get: (...asked: readonly unknown[]) => Answer;
  readonly update: (...asked: readonly unknown[]) => Answer;
};

/** The profile with its lists; nothing when a custom one is not there. */
export async function findProfile(key: DeviceSettingsPolicyKey, call: Call): Promise<ObservedProfile | undefined> {
  const found = await getProfile(key, call);
  if (!found) return undefined;
  const mode = found.include && !found.exclude ? 'include' : 'exclude';
  // A list that is not shown with the profile is asked for: one taken for empty would be written so.
  return {
    id: key.profile || 'default',
    mode,
    split: found[mode] ?? (await getList(key, mode, call)),
    fallback: found.fallback_domains ?? (await getList(key, 'fallback_domains', call)),
  };
}

async function getProfile({ accountId, profile }: DeviceSettingsPolicyKey, call: Call): Promise<Profile | undefined> {
  const { policies } = call.api.zeroTrust.devices;
  const query = { account_id: accountId };
  const options = { signal: call.signal };
  if (profile === '') return (await policies.default.get(query, options)) ?? {};
  const answer: Promise<Profile> = policies.custom.get(profile, query, options).then((found) => found ?? {});
  return unlessGone(answer);
}

async function getList(key: DeviceSettingsPolicyKey, name: ListName, call: Call): Promise<readonly Entry[]> {
  const { calls, before, query, options } = listCalls(key, name, call);
  return listAll(calls.get(...before, query, options));
}

export async function putList(
  key: DeviceSettingsPolicyKey,
  name: ListName,
  entries: readonly Entry[],
  call: Call,
): Promise<readonly Entry[]> {
  const { calls, before, query, options } = listCalls(key, name, call);
  // The SDK's name for the bare list that is sent.
  const body = name === 'fallback_domains' ? { domains: entries } : { body: entries };
  return listAll(calls.update(...before, { ...query, ...body }, options));
}

function listCalls(
  { accountId, profile }: DeviceSettingsPolicyKey,
  name: ListName,
  { api, signal }: Call,
): {
  readonly calls: ListCalls;
  readonly before: readonly string[];
  readonly query: { readonly account_id: string };
  readonly options: Options;
} {
  const { policies } = api.zeroTrust.devices;
  const { excludes, includes, fallbackDomains } = profile === '' ? policies.default : policies.custom;
  const calls = { exclude: excludes, include: includes, fallback_domains: fallbackDomains }[name];
  return {
    calls: calls as unknown as ListCalls,
    before: profile === '' ? [] : [profile],
    query: { account_id: accountId },
    options: { signal },
  };
}
