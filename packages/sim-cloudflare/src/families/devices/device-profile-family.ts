import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply, Route } from '../../api/route.ts';
import { parseCidr } from '../networks/cidr.ts';
import { deviceProfiles, seededExclude, seededFallback } from './device-tables.ts';
import type { DeviceProfile, FallbackEntry, SplitEntry } from './device-tables.ts';

const access = accountAccess('Zero Trust');
const base = '/accounts/:account/devices';

export const deviceProfileFamily: Family = {
  name: 'device-profiles',
  routes: [
    { method: 'GET', path: `${base}/policies`, access, run: listProfiles },
    { method: 'POST', path: `${base}/policy`, access, run: createProfile },
    ...profileRoutes(`${base}/policy`),
    ...profileRoutes(`${base}/policy/:profile`),
    { method: 'DELETE', path: `${base}/policy/:profile`, access, run: deleteProfile },
  ],
};

/** The default profile and the custom ones are reached alike, the latter by their id. */
function profileRoutes(one: string): readonly Route[] {
  return [
    { method: 'GET', path: one, access, run: (call) => ({ result: toView(find(call)) }) },
    { method: 'PATCH', path: one, access, run: editProfile },
    { method: 'GET', path: `${one}/exclude`, access, run: (call) => ({ result: find(call).exclude ?? [] }) },
    { method: 'PUT', path: `${one}/exclude`, access, run: (call) => putSplit(call, 'exclude') },
    { method: 'GET', path: `${one}/include`, access, run: (call) => ({ result: find(call).include ?? [] }) },
    { method: 'PUT', path: `${one}/include`, access, run: (call) => putSplit(call, 'include') },
    { method: 'GET', path: `${one}/fallback_domains`, access, run: (call) => ({ result: find(call).fallbackDomains }) },
    { method: 'PUT', path: `${one}/fallback_domains`, access, run: putFallback },
  ];
}

const fresh = { exclude: seededExclude, include: undefined, fallbackDomains: seededFallback };

const filledIn: Fields = {
  allow_mode_switch: false,
  allow_updates: false,
  allowed_to_leave: true,
  auto_connect: 0,
  captive_portal: 180,
  disable_auto_fallback: false,
  exclude_office_ips: false,
  service_mode_v2: { mode: 'warp' },
  support_url: '',
  switch_locked: false,
  tunnel_protocol: '',
};

function find(call: Call): DeviceProfile {
  const id = param(call, 'profile') || 'default';
  const profile = call.state.get(deviceProfiles, param(call, 'account'), id);
  if (profile) return profile;
  if (id !== 'default') throw refusal(404, 2052, 'device settings policy not found');
  return { id, isDefault: true, definition: { enabled: true }, ...fresh };
}

function stored(call: Call, profile: DeviceProfile): DeviceProfile {
  call.state.put(deviceProfiles, param(call, 'account'), profile.id, profile);
  return profile;
}

function custom(call: Call): readonly DeviceProfile[] {
  return [...call.state.rows(deviceProfiles, param(call, 'account')).values()].filter(({ isDefault }) => !isDefault);
}

function listProfiles(call: Call): Reply {
  return { result: custom(call).map(toView) };
}

function createProfile(call: Call): Reply {
  const fields = toFields(call.body);
  for (const name of ['name', 'match']) {
    if ((textOf(fields[name]) ?? '') === '') throw refusal(400, 2050, `${name} is required`);
  }
  if (typeof fields['precedence'] !== 'number') throw refusal(400, 2050, 'precedence is required');
  const profile = {
    id: call.world.ids.uuid(),
    isDefault: false,
    definition: { enabled: true, description: '' },
    ...fresh,
  };
  return { result: toView(stored(call, withFields(call, profile, fields))) };
}

function editProfile(call: Call): Reply {
  const fields = toFields(call.body);
  if (Object.keys(fields).length === 0) throw refusal(400, 2051, 'the request body is empty');
  return { result: toView(stored(call, withFields(call, find(call), fields))) };
}

function withFields(call: Call, profile: DeviceProfile, fields: Fields): DeviceProfile {
  const { exclude, include, ...rest } = fields;
  if (exclude !== undefined && include !== undefined)
    throw refusal(400, 2054, 'exclude and include cannot both be set');
  const precedence = rest['precedence'];
  if (custom(call).some((other) => other.id !== profile.id && other.definition['precedence'] === precedence)) {
    throw refusal(400, 2056, `precedence ${JSON.stringify(precedence)} is taken`);
  }
  const next = { ...profile, definition: { ...profile.definition, ...rest } };
  if (exclude !== undefined) return { ...next, exclude: toSplit(exclude), include: undefined };
  return include === undefined ? next : { ...next, include: toSplit(include), exclude: undefined };
}

/** The body is a bare list; it takes the place of everything, and puts the profile into its mode. */
function putSplit(call: Call, mode: 'exclude' | 'include'): Reply {
  const entries = toSplit(call.body);
  const lists =
    mode === 'exclude' ? { exclude: entries, include: undefined } : { include: entries, exclude: undefined };
  stored(call, { ...find(call), ...lists });
  return { result: entries };
}

function toSplit(value: unknown): readonly SplitEntry[] {
  if (!Array.isArray(value)) throw refusal(400, 2057, 'a list of entries is needed');
  return value.map((item: unknown) => {
    const fields = toFields(item);
    const [address, host] = [textOf(fields['address']), textOf(fields['host'])];
    if ((address === undefined) === (host === undefined)) throw refusal(400, 2058, 'an entry has an address or a host');
    if (address !== undefined && !parseCidr(address)) throw refusal(400, 2059, `${address} is not a network`);
    const description = descriptionOf(fields);
    return {
      ...(address !== undefined && { address }),
      ...(host !== undefined && { host }),
      ...(description !== '' && { description }),
    };
  });
}

const longestDescription = 100;

function descriptionOf(fields: Fields): string {
  const description = textOf(fields['description']) ?? '';
  if (Array.from(description).length > longestDescription)
    throw refusal(400, 2062, `a description has at most ${longestDescription} characters`);
  return description;
}

function putFallback(call: Call): Reply {
  if (!Array.isArray(call.body)) throw refusal(400, 2057, 'a list of entries is needed');
  const fallbackDomains = call.body.filter(isFields).map((item): FallbackEntry => {
    const suffix = textOf(item['suffix']) ?? '';
    if (suffix === '') throw refusal(400, 2060, 'an entry needs a suffix');
    const servers = Array.isArray(item['dns_server']) ? item['dns_server'].map(String) : [];
    const description = descriptionOf(item);
    return { suffix, ...(description !== '' && { description }), ...(servers.length > 0 && { dns_server: servers }) };
  });
  stored(call, { ...find(call), fallbackDomains });
  return { result: fallbackDomains };
}

/** Answers what is left. */
function deleteProfile(call: Call): Reply {
  call.state.remove(deviceProfiles, param(call, 'account'), find(call).id);
  return { result: custom(call).map(toView) };
}

function toView({ id, isDefault, definition, exclude, include, fallbackDomains }: DeviceProfile): object {
  return {
    ...filledIn,
    ...definition,
    default: isDefault,
    ...(!isDefault && { policy_id: id }),
    ...(exclude ? { exclude } : { include }),
    fallback_domains: fallbackDomains,
    gateway_unique_id: '0'.repeat(32),
    target_tests: [],
  };
}
