import { zoneAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { defineTable } from '../../store/table.ts';
import type { Reader } from '../../store/table.ts';
import { isEditable, settingCatalog } from './setting-catalog.ts';
import type { SettingDefinition, SettingRule } from './setting-catalog.ts';
import { theZone } from './zone-family.ts';
import type { Zone } from './zone.ts';

/** Only what was changed is stored; the rest of the settings are the catalog's. */
type StoredSetting = { readonly id: string; readonly value: unknown; readonly modifiedOn: string };

const zoneSettings = defineTable<StoredSetting>('zone_settings');

const access = zoneAccess('Zone Settings', 'Zone');
const write = zoneAccess('Zone Settings');

export const zoneSettingFamily: Family = {
  name: 'zone-settings',
  routes: [
    { method: 'GET', path: '/zones/:zone/settings', access, run: listSettings },
    { method: 'PATCH', path: '/zones/:zone/settings', access: write, run: editSettings },
    { method: 'GET', path: '/zones/:zone/settings/:setting', access, run: getSetting },
    { method: 'PATCH', path: '/zones/:zone/settings/:setting', access: write, run: editSetting },
  ],
};

function listSettings(call: Call): Reply {
  const zone = theZone(call);
  return { result: Object.keys(settingCatalog).map((id) => toSetting(call.state, zone, id)) };
}

function getSetting(call: Call): Reply {
  const id = param(call, 'setting');
  definitionOf(id);
  return { result: toSetting(call.state, theZone(call), id) };
}

function editSetting(call: Call): Reply {
  const fields = toFields(call.body);
  // A few settings are switched by `enabled` instead.
  const value = fields['value'] ?? (fields['enabled'] === undefined ? undefined : { enabled: fields['enabled'] });
  return { result: change(call, theZone(call), param(call, 'setting'), value) };
}

/** All or none: a refused item takes the others with it. */
function editSettings(call: Call): Reply {
  const { items } = toFields(call.body);
  if (!Array.isArray(items) || items.length === 0)
    throw refusal(400, 1012, 'Request must contain one of values: items');
  const zone = theZone(call);
  const result = items.map((item: unknown) => {
    const fields = isFields(item) ? item : {};
    return change(call, zone, textOf(fields['id']) ?? '', fields['value']);
  });
  return { result };
}

function definitionOf(id: string): SettingDefinition {
  const definition = Object.hasOwn(settingCatalog, id) ? settingCatalog[id] : undefined;
  if (!definition) throw refusal(400, 1003, `Undefined zone setting: ${id}`);
  return definition;
}

function change(call: Call, zone: Zone, id: string, value: unknown): unknown {
  const definition = definitionOf(id);
  if (id === 'ciphers') throw refusal(400, 1023, 'Advanced Certificate Manager is needed to change ciphers');
  if (!isEditable(definition, zone.plan)) throw refusal(403, 1015, `Not allowed to edit setting for ${id}`);
  if (!isValid(definition.rule, value)) throw refusal(400, 1007, `Invalid value for zone setting ${id}`);
  call.state.put(zoneSettings, zone.id, id, {
    id,
    value: merged(definition, value),
    modifiedOn: timestamp(call.world),
  });
  return toSetting(call.state, zone, id);
}

/** An object comes back with all its fields, the ones that were not sent at their first value. */
function merged({ initial }: SettingDefinition, value: unknown): unknown {
  if (!isFields(initial) || !isFields(value)) return value;
  const fields = Object.entries({ ...initial, ...value });
  return Object.fromEntries(
    fields.map(([name, held]) => [name, merged({ initial: initial[name], rule: { kind: 'object' } }, held)]),
  );
}

function isValid(rule: SettingRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'choice':
      return typeof value === 'string' && rule.of.includes(value);
    case 'number':
      return Number.isInteger(value) && (value as number) >= rule.min && (value as number) <= rule.max;
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isFields(value);
    default:
      return rule satisfies never;
  }
}

function toSetting(state: Reader, zone: Zone, id: string): unknown {
  const definition = definitionOf(id);
  const stored = state.get(zoneSettings, zone.id, id);
  return {
    id,
    value: stored?.value ?? definition.initial,
    modified_on: stored?.modifiedOn ?? null,
    editable: isEditable(definition, zone.plan),
    ...(id === 'development_mode' && { time_remaining: 0 }),
  };
}
