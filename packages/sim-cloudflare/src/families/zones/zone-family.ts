import { isAllowed, maySee, userAccess, zoneAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { globalScope } from '../../store/table.ts';
import { accounts } from '../account-tables.ts';
import { toZone, zones } from './zone.ts';
import type { Zone } from './zone.ts';

const read = zoneAccess('Zone', 'Zone Settings', 'DNS');
const write = zoneAccess('Zone');

export const zoneFamily: Family = {
  name: 'zones',
  routes: [
    { method: 'GET', path: '/zones', access: userAccess, run: listZones },
    { method: 'POST', path: '/zones', access: userAccess, run: createZone },
    { method: 'GET', path: '/zones/:zone', access: read, run: (call) => shown(call, theZone(call)) },
    { method: 'PATCH', path: '/zones/:zone', access: write, run: editZone },
    { method: 'DELETE', path: '/zones/:zone', access: write, run: deleteZone },
  ],
};

/** The zone of the path; that it exists was checked with the access to it. */
export function theZone(call: Pick<Call, 'state' | 'params'>): Zone {
  const zone = call.state.get(zones, globalScope, param(call, 'zone'));
  if (!zone) throw refusal(403, 9109, 'Invalid zone identifier');
  return zone;
}

function shown({ state }: Pick<Call, 'state'>, zone: Zone): Reply {
  return { result: toZone(zone, state.get(accounts, globalScope, zone.accountId)) };
}

/** What a token may not read is missing from the list; that is no error. */
function listZones(call: Call): Reply {
  const { state, query, principal } = call;
  const tests = filters(call);
  const any = query.get('match') === 'any' && tests.length > 0;
  const rows = isAllowed(principal, ['Zone'], false) ? [...state.rows(zones, globalScope).values()] : [];
  const found = rows
    .filter((zone) => maySee(principal, zone.accountId, zone.id))
    .filter((zone) => (any ? tests.some((test) => test(zone)) : tests.every((test) => test(zone))));
  const sorted = sortZones(found, query.get('order'), query.get('direction') === 'desc');
  const page = toPage(query, sorted, { defaultSize: 20, maxSize: 50, minSize: 5 });
  return { info: page.info, result: page.result.map((zone) => shownRow(call, zone as Zone)) };
}

function shownRow({ state }: Call, zone: Zone): unknown {
  return toZone(zone, state.get(accounts, globalScope, zone.accountId));
}

function sortZones(rows: readonly Zone[], order: string | null, descending: boolean): readonly Zone[] {
  const key = (zone: Zone): string => {
    if (order === 'status') return zone.status;
    return order === 'account.id' ? zone.accountId : zone.name;
  };
  const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
  return descending ? sorted.toReversed() : sorted;
}

function filters({ query, state }: Call): readonly ((zone: Zone) => boolean)[] {
  const accountName = (zone: Zone): string => state.get(accounts, globalScope, zone.accountId)?.name ?? '';
  const values: Readonly<Record<string, (zone: Zone) => string>> = {
    name: (zone) => zone.name,
    'account.id': (zone) => zone.accountId,
    'account.name': accountName,
    status: (zone) => zone.status,
    type: (zone) => zone.type,
  };
  return Object.entries(values).flatMap(([name, valueOf]) => {
    const wanted = query.get(name);
    return wanted === null ? [] : [(zone: Zone) => isMatch(valueOf(zone), wanted)];
  });
}

/** `example.com`, a list of names with commas, or an operator before a colon. */
function isMatch(value: string, wanted: string): boolean {
  const [operator = '', ...rest] = wanted.split(':');
  const text = rest.join(':');
  switch (operator) {
    case 'equal':
      return value === text;
    case 'not_equal':
      return value !== text;
    case 'contains':
      return value.includes(text);
    case 'starts_with':
      return value.startsWith(text);
    case 'ends_with':
      return value.endsWith(text);
    default:
      return wanted.toLowerCase().split(',').includes(value.toLowerCase());
  }
}

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domainPattern = new RegExp(`^(${label}\\.)+[a-z]{2,63}$`);

function createZone(call: Call): Reply {
  const { state, body, principal, world } = call;
  const fields = toFields(body);
  const name = textOf(fields['name'])?.toLowerCase() ?? '';
  const accountId = isFields(fields['account']) ? textOf(fields['account']['id']) : undefined;
  const account = state.get(accounts, globalScope, accountId ?? '');
  if (!account || !maySee(principal, account.id)) {
    throw refusal(403, 9109, 'Unauthorized to access requested resource');
  }
  if (!isAllowed(principal, ['Zone'], true)) throw refusal(403, 10000, 'Authentication error');
  checkNewName(name, [...state.rows(zones, globalScope).values()]);
  const at = timestamp(world);
  const zone: Zone = {
    id: world.ids.hex(32),
    name,
    accountId: account.id,
    plan: 'free',
    status: 'pending',
    type: fields['type'] === 'partial' ? 'partial' : 'full',
    paused: false,
    nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    createdOn: at,
    modifiedOn: at,
    activatedOn: null,
  };
  state.put(zones, globalScope, zone.id, zone);
  return shown(call, zone);
}

function checkNewName(name: string, existing: readonly Zone[]): void {
  if (!domainPattern.test(name)) throw refusal(400, 1002, `Invalid domain: ${name}`);
  if (existing.some((zone) => zone.name === name)) throw refusal(400, 1061, `${name} already exists`);
  // Names below .invalid can never be registered, and Cloudflare hosts its own domains itself.
  if (name.endsWith('.invalid')) throw refusal(400, 1099, `${name} is not a registered domain`);
  if (name === 'cloudflare.com') throw refusal(400, 1052, `${name} is not allowed to be added`);
  if (existing.some((zone) => name.endsWith(`.${zone.name}`))) {
    throw refusal(400, 1116, 'Please ensure you are providing the root domain and not any subdomains');
  }
}

function editZone(call: Call): Reply {
  const zone = theZone(call);
  const fields = toFields(call.body);
  const named = ['paused', 'type', 'vanity_name_servers', 'plan'].filter((name) => fields[name] !== undefined);
  if (named.length !== 1) throw refusal(400, 1015, 'Exactly one property of a zone can be changed per call');
  const changed: Zone = {
    ...zone,
    paused: typeof fields['paused'] === 'boolean' ? fields['paused'] : zone.paused,
    type: fields['type'] === 'partial' || fields['type'] === 'full' ? fields['type'] : zone.type,
    modifiedOn: timestamp(call.world),
  };
  call.state.put(zones, globalScope, zone.id, changed);
  return shown(call, changed);
}

function deleteZone(call: Call): Reply {
  const { id } = theZone(call);
  call.state.remove(zones, globalScope, id);
  return { result: { id } };
}
