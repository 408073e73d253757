import { editZoneSettings, listAll, listZoneSettings } from '@tributary/cloudflare-api';
import type { ZoneSetting } from '@tributary/cloudflare-api';
import { OperatorError } from '@tributary/runtime';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { unlessGone } from '../unless-gone.ts';
import { aggregateZone } from './aggregate.ts';
import type { DomainConfig, WantedZone } from './aggregate.ts';
import { cloudflareDomainContract } from './contract.ts';

type Key = { readonly accountId: string; readonly domain: string };
type Zone = Awaited<ReturnType<Call['api']['zones']['get']>>;
type Observed = { readonly zone: Zone; readonly settings: readonly ZoneSetting[] };

/** Zones are found, never made or deleted; of their settings only those that somebody asks for are touched. */
export const cloudflareDomainTarget = defineTarget<Key, DomainConfig, WantedZone, Observed>({
  contract: cloudflareDomainContract,
  aggregate: aggregateZone,
  scope: ({ accountId, domain }) => `${accountId}/${domain}`,
  observe: { lookup },
  idOf: ({ zone }) => zone.id,
  relation: () => 'same',
  difference: ({ settings }, observed) => differing(settings, observed).settable,
  update: async ({ wanted, observed, fields }, { api, signal }) => {
    const items = fields.map((id) => ({ id, value: wanted.settings[id] }));
    const edited = await editZoneSettings(api, observed.zone.id, items, { signal });
    const known = new Map(edited.map((setting) => [setting.id, setting]));
    return { ...observed, settings: observed.settings.map((setting) => known.get(setting.id) ?? setting) };
  },
  // There is no "unset", and what the zone had before is nobody's wish: the settings stay.
  giveUp: () => 'retain',
  outputs: ({ zone, settings }, wanted) => ({
    data: {
      zoneId: zone.id,
      zoneName: zone.name,
      accountId: zone.account.id ?? '',
      zoneStatus: zone.status ?? '',
      plan: zone.plan.legacy_id ?? '',
      nameServers: zone.name_servers.join(','),
      notEditable: differing(wanted.settings, { settings }).fixed.join(','),
    },
  }),
});

/** What is not as wanted: what a write can change, and what the plan of the zone keeps as it is. */
function differing(
  wanted: WantedZone['settings'],
  { settings }: Pick<Observed, 'settings'>,
): { readonly settable: readonly string[]; readonly fixed: readonly string[] } {
  const known = new Map(settings.map((setting) => [setting.id, setting]));
  const names = Object.keys(wanted).filter((name) => known.get(name)?.value !== wanted[name]);
  const isSettable = (name: string): boolean => known.has(name) && known.get(name)?.editable !== false;
  return { settable: names.filter(isSettable), fixed: names.filter((name) => !isSettable(name)) };
}

async function lookup({ key, desired, id }: Asked<Key, WantedZone>, call: Call): Promise<readonly Observed[]> {
  const zone = await findZone(key, desired?.zoneId ?? id, call);
  if (!zone) return [];
  const asksForSettings = Object.keys(desired?.settings ?? {}).length > 0;
  const settings = asksForSettings ? await listZoneSettings(call.api, zone.id, { signal: call.signal }) : [];
  return [{ zone, settings }];
}

async function findZone(
  { accountId, domain }: Key,
  id: string | undefined,
  { api, signal }: Call,
): Promise<Zone | undefined> {
  const known = id && (await unlessGone(api.zones.get({ zone_id: id }, { signal })));
  if (known) return known;
  const account = accountId === '' ? {} : { account: { id: accountId } };
  const [first, ...others] = await listAll(api.zones.list({ name: domain, ...account }, { signal }));
  if (others.length === 0) return first;
  throw new OperatorError(
    'zones/ambiguous',
    `${others.length + 1} zones have the name ${domain}: say which account, by credentials or accountId`,
    { kind: 'after', ms: 5 * 60_000 },
  );
}
