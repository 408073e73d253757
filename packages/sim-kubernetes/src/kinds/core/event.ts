import { invalid } from '../../registry/api-error.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { checkQualifiedName, pathSegmentName } from '../../registry/name-checks.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import { eventCells } from '../cells/core-cells.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, count, maybeChild, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkSame } from '../validation/field-checks.ts';

/** Events of core/v1, which is also the form in which they are stored. */
export const event: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Event',
  strategy: {
    noGeneration: true,
    allowsCreateOnUpdate: true,
    checkName: pathSegmentName,
    fieldLabels: (object) => eventLabels(object, 'involvedObject', 'reportingComponent'),
    validate: (object) => validateEvent(object, 'reportingComponent'),
  },
};

/** The same events as events.k8s.io/v1 shows them. */
export const newEvent: BuiltinKind = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  storedIn: { group: '', plural: 'events' },
  cells: (object, nowMs) => eventCells(toCoreEvent(object) as StoredObject, nowMs),
  convert: { toStored: toCoreEvent, fromStored: toNewEvent },
  strategy: {
    noGeneration: true,
    allowsCreateOnUpdate: true,
    fieldLabels: (object) => eventLabels(toCoreEvent(object), 'regarding', 'reportingController'),
    validate: (object) => refuse(object, validateEvent(toCoreEvent(object), 'reportingController')),
    validateUpdate: (next, old) => refuse(next, validateNewEventUpdate(toCoreEvent(next), toCoreEvent(old))),
  },
};

const pairs: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['deprecatedSource', 'source'],
  ['note', 'message'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
];

export function toCoreEvent(given: JsonObject): JsonObject {
  return renamed(given, new Map(pairs), {
    involvedObject: {},
    source: {},
    reportingComponent: '',
    reportingInstance: '',
  });
}

function toNewEvent(stored: StoredObject): JsonObject {
  const names = new Map(pairs.map(([next, old]) => [old, next]));
  const found = renamed(stored, names, {});
  const { reportingController, reportingInstance, regarding, ...rest } = found;
  return {
    ...rest,
    ...(reportingController === '' ? {} : { reportingController }),
    ...(reportingInstance === '' ? {} : { reportingInstance }),
    ...(regarding === undefined ? {} : { regarding }),
  };
}

function renamed(object: JsonObject, names: ReadonlyMap<string, string>, defaults: JsonObject): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]);
  return { ...defaults, ...(Object.fromEntries(entries) as JsonObject) };
}

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function eventLabels(object: JsonObject, subject: string, reporter: string): Readonly<Record<string, string>> {
  const involved = child(object, 'involvedObject');
  const reporting = text(object, 'reportingComponent');
  return {
    ...Object.fromEntries(objectFields.map((field) => [`${subject}.${field}`, text(involved, field)])),
    reason: text(object, 'reason'),
    [reporter]: reporting,
    source: text(child(object, 'source'), 'component') || reporting,
    type: text(object, 'type'),
  };
}

/** Whatever group was asked, the server speaks of the core kind. */
function refuse(object: JsonObject, errors: Errors): Errors {
  if (errors.length === 0) return errors;
  throw invalid({ group: '', kind: 'Event' }, text(child(object, 'metadata'), 'name'), errors);
}

function validateEvent(object: JsonObject, reporter: string): Errors {
  const namespace = text(child(object, 'metadata'), 'namespace');
  const involved = text(child(object, 'involvedObject'), 'namespace');
  const elsewhere = invalidField('involvedObject.namespace', involved, 'does not match event.namespace');
  if (object['eventTime'] === null || object['eventTime'] === undefined) {
    const fits = involved === '' ? namespace === 'default' : namespace === involved;
    const strict = reporter === 'reportingController' ? validateNewEvent(object) : [];
    return [...(fits ? [] : [elsewhere]), ...strict];
  }
  const errors: FieldError[] = [];
  if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(elsewhere);
  const reporting = text(object, 'reportingComponent');
  if (reporting === '') errors.push(requiredField(reporter));
  errors.push(...checkQualifiedName(reporting).map((fault) => invalidField(reporter, reporting, fault)));
  for (const [field, limit] of [
    ['reportingInstance', 128],
    ['action', 128],
    ['reason', 128],
  ] as const) {
    const value = text(object, field);
    if (value === '') errors.push(requiredField(field));
    if (Buffer.byteLength(value) > limit) errors.push(invalidField(field, '', `can have at most ${limit} characters`));
  }
  if (Buffer.byteLength(text(object, 'message')) > 1024) {
    errors.push(invalidField('message', '', 'can have at most 1024 characters'));
  }
  if (reporter === 'reportingController') errors.push(...validateNewEvent(object));
  return errors;
}

function validateNewEvent(object: JsonObject): Errors {
  const errors: FieldError[] = [];
  const series = maybeChild(object, 'series');
  if (series !== undefined && count(series, 'count') < 2) {
    errors.push(invalidField('series.count', '', 'should be at least 2'));
  }
  if (object['eventTime'] === null || object['eventTime'] === undefined) errors.push(requiredField('eventTime'));
  const type = text(object, 'type');
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidField('type', '', `has invalid value: ${type}`));
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count']) {
    const given = object[field] !== undefined && object[field] !== null && object[field] !== 0;
    if (given) errors.push(invalidField(field, '', 'needs to be unset'));
  }
  const source = child(object, 'source');
  if (text(source, 'component') !== '' || text(source, 'host') !== '') {
    errors.push(invalidField('source', '', 'needs to be unset'));
  }
  return errors;
}

const kept = ['involvedObject', 'reason', 'message', 'source', 'count', 'type', 'eventTime', 'action', 'related'];

function validateNewEventUpdate(next: JsonObject, old: JsonObject): Errors {
  return kept.flatMap((field) => checkSame(next[field], old[field], field));
}
