// Objects as Go writes them after it has read them: empty fields left out, zero values of required ones filled in,
// quantities and times in canonical form. Values that Go cannot read are refused as kube-apiserver refuses them.
import type { Draft } from '../registry/json.ts';
import { badRequest } from '../registry/api-error.ts';
import type { ValuePlan } from './go-plan.ts';
import { structPlan } from './go-plan.ts';
import { readScalar } from './read-scalar.ts';
import type { Place } from './unreadable-value.ts';
import { jsonType, unreadable, UnreadableValue } from './unreadable-value.ts';

/** Brings a draft of a built-in kind into the form that is stored. `type` is the OpenAPI name of the kind. */
export function normalizeObject(draft: Draft, type: string): void {
  const kind = shortName(type);
  try {
    normalizeStruct(draft, type, '');
  } catch (error) {
    if (!(error instanceof UnreadableValue)) throw error;
    const version = typeof draft['apiVersion'] === 'string' ? (draft['apiVersion'].split('/').at(-1) ?? '') : '';
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`);
  }
}

function normalizeStruct(draft: Draft, type: string, path: string): void {
  const struct = shortName(type);
  for (const { name, value, presence } of structPlan(type)) {
    const given = draft[name];
    if (given === undefined && presence !== 'always') continue;
    const place = { struct, path: path === '' ? name : `${path}.${name}` };
    const read = given === undefined || given === null ? undefined : readValue(given, value, place);
    const written = read === undefined || (presence === 'filled' && isEmpty(read, value)) ? undefined : read;
    if (written !== undefined && !(presence === 'always' && isEmptyCollection(read, value))) draft[name] = written;
    else if (presence === 'always') draft[name] = zeroValue(value);
    else delete draft[name];
  }
}

function readValue(given: unknown, plan: ValuePlan, place: Place): unknown {
  if (plan.form === 'raw') return given;
  if (plan.form === 'list') {
    if (!Array.isArray(given)) throw unreadable(jsonType(given), place, goType(plan));
    return given.map((item: unknown) => readElement(item, plan.of, place));
  }
  if (plan.form !== 'struct' && plan.form !== 'map') return readScalar(given, plan.form, place);
  if (!isObject(given)) throw unreadable(jsonType(given), place, goType(plan));
  if (plan.form === 'struct') normalizeStruct(given, plan.type, place.path);
  else for (const [key, item] of Object.entries(given)) given[key] = readElement(item, plan.of, place);
  return given;
}

function readElement(item: unknown, plan: ValuePlan, place: Place): unknown {
  return item === null || item === undefined ? zeroElement(plan) : readValue(item, plan, place);
}

function zeroElement(plan: ValuePlan): unknown {
  if (plan.form !== 'struct') return zeroValue(plan);
  const empty: Draft = {};
  normalizeStruct(empty, plan.type, '');
  return empty;
}

const zeroes: Readonly<Record<string, unknown>> = {
  string: '',
  bytes: '',
  boolean: false,
  int32: 0,
  int64: 0,
  number: 0,
  'int-or-string': 0,
  quantity: '0',
};

function zeroValue(plan: ValuePlan): unknown {
  return plan.form === 'struct' ? zeroElement(plan) : (zeroes[plan.form] ?? null);
}

function isEmpty(value: unknown, plan: ValuePlan): boolean {
  if (isEmptyCollection(value, plan)) return true;
  return value === '' || value === 0 || value === false;
}

// The store keeps no difference between an empty list and none.
function isEmptyCollection(value: unknown, plan: ValuePlan): boolean {
  if (plan.form === 'list') return Array.isArray(value) && value.length === 0;
  return plan.form === 'map' && isObject(value) && Object.keys(value).length === 0;
}

const goNames: Readonly<Record<string, string>> = {
  boolean: 'bool',
  bytes: '[]uint8',
  number: 'float64',
  quantity: 'resource.Quantity',
};

function goType(plan: ValuePlan): string {
  if (plan.form === 'struct') return `v1.${shortName(plan.type)}`;
  if (plan.form === 'list') return `[]${goType(plan.of)}`;
  if (plan.form === 'map') return `map[string]${goType(plan.of)}`;
  return goNames[plan.form] ?? plan.form;
}

function isObject(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}
