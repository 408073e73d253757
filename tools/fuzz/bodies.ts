// Bodies of requests: objects, patches and options, whole and broken, and text that is neither.
import fc from 'fast-check';
import { breakValue, damages, junk } from './break-value.ts';
import type { FuzzTarget, Json, JsonObject } from './fuzz-target.ts';

export type Body = { readonly type?: string; readonly text?: string };

const metadata = fc.record<JsonObject>(
  {
    labels: fc.constantFrom<Json[]>({ a: 'b' }, {}, null, { a: 'b', 'x.io/y': '1' }, { 'bad key': 'x' }, { a: 'b c' }),
    annotations: fc.constantFrom<Json[]>({ note: 'x' }, { 'bad key': '' }, {}, { note: 'y'.repeat(300_000) }),
    finalizers: fc.constantFrom<Json[]>([], ['x.test/a'], ['unqualified'], ['x.test/a', 'x.test/a'], ['orphan'], null),
    generateName: fc.constantFrom('gen-', 'Bad_', ''),
    namespace: fc.constantFrom('default', 'fuzz-a', 'other', ''),
    resourceVersion: fc.constantFrom('$rv', '', '1', 'x', '0'),
    uid: fc.constantFrom('$uid', 'u', ''),
    generation: fc.constantFrom(0, 7, -1),
    creationTimestamp: fc.constantFrom<Json[]>(null, '2020-01-01T00:00:00Z', 'yesterday'),
    deletionTimestamp: fc.constantFrom<Json[]>(null, '2020-01-01T00:00:00Z'),
    deletionGracePeriodSeconds: fc.constantFrom<Json[]>(0, 30, null),
    selfLink: fc.constant('/x'),
    ownerReferences: fc.constantFrom<Json[]>(
      [],
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }],
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
      [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }],
    ),
    managedFields: fc.constantFrom<Json[]>(
      [],
      null,
      [{}],
      [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } }],
      [{ manager: 'm', operation: 'Junk' }],
    ),
  },
  { requiredKeys: [] },
);

function few(whole: JsonObject, keep: readonly number[]): JsonObject {
  const keys = Object.keys(whole);
  const kept = new Set(keep.map((at) => keys[at % Math.max(1, keys.length)]));
  return Object.fromEntries(Object.entries(whole).filter(([key]) => kept.has(key)));
}

const someMetadata = fc.oneof(
  { weight: 5, arbitrary: fc.constant<JsonObject>({}) },
  {
    weight: 2,
    arbitrary: fc.tuple(metadata, fc.array(fc.nat(99), { maxLength: 2 })).map(([all, keep]) => few(all, keep)),
  },
);

/** An object under a name, or under the one that the path names. */
export function objectsOf(target: FuzzTarget, name: string): fc.Arbitrary<JsonObject> {
  const named = fc.oneof(
    { weight: 16, arbitrary: fc.constant<JsonObject>({ name }) },
    { weight: 1, arbitrary: fc.constantFrom<JsonObject[]>({}, { name: 'other' }, { name: 'Bad_Name' }, { name: '' }) },
  );
  return fc
    .tuple(target.objects, named, someMetadata)
    .map(([object, head, more]) => ({ ...object, metadata: { ...head, ...more } }));
}

function maybeBroken(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 5, arbitrary: values },
    { weight: 2, arbitrary: fc.tuple(values, damages).map(([value, found]) => breakValue(value, found)) },
  );
}

const texts = fc.constantFrom('', '{', '[]', 'null', '"text"', '7', '{}', 'a: b: c', '{"a":1,"a":2}', '\u0000', '[{}]');
const types = fc.constantFrom(
  'application/json; charset=utf-8',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/merge-patch+json',
  'text/plain',
  'junk',
  '',
);

/** Text as it goes out: mostly the JSON of a value, sometimes cut, followed by more, or something else. */
function encoded(values: fc.Arbitrary<Json>, type: string): fc.Arbitrary<Body> {
  const whole = values.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 40, arbitrary: whole.map((text) => ({ type, text })) },
    { weight: 1, arbitrary: whole.map((text) => ({ type, text: text.slice(0, -2) })) },
    { weight: 1, arbitrary: whole.map((text) => ({ type, text: `${text} x` })) },
    { weight: 1, arbitrary: texts.map((text) => ({ type, text })) },
    { weight: 2, arbitrary: fc.tuple(whole, types).map(([text, other]) => ({ type: other, text })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

export function objectBodies(target: FuzzTarget, name: string): fc.Arbitrary<Body> {
  return encoded(maybeBroken(objectsOf(target, name)), 'application/json');
}

export function patchBodies(target: FuzzTarget, name: string): fc.Arbitrary<Body> {
  const part = fc
    .tuple(objectsOf(target, name), fc.array(fc.nat(99), { maxLength: 3 }))
    .map(([object, keep]) => few(object, keep));
  return fc.oneof(
    { weight: 3, arbitrary: encoded(maybeBroken(part), 'application/merge-patch+json') },
    { weight: 2, arbitrary: encoded(maybeBroken(part), 'application/strategic-merge-patch+json') },
    { weight: 3, arbitrary: encoded(maybeBroken(objectsOf(target, name)), 'application/apply-patch+yaml') },
    { weight: 3, arbitrary: encoded(maybeBroken(jsonPatches), 'application/json-patch+json') },
  );
}

const pointers = fc.constantFrom(
  '/metadata/labels/a',
  '/metadata/labels',
  '/metadata/annotations/note',
  '/metadata/name',
  '/metadata/finalizers/-',
  '/metadata/finalizers/0',
  '/metadata/uid',
  '/data/k',
  '/data',
  '/spec/text',
  '/spec/items/0',
  '/spec/items/-',
  '/spec/set/7',
  '/spec/a~1b~0c',
  '/kind',
  '/apiVersion',
  '',
  '/',
  'data',
  '/nothing/there',
);

const jsonPatches: fc.Arbitrary<Json> = fc.array(
  fc
    .record({
      op: fc.constantFrom('add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'junk'),
      path: pointers,
      from: pointers,
      value: fc.oneof(junk, fc.constantFrom<Json[]>('b', { a: 'b' }, 'x')),
    })
    .map(({ op, path, from, value }): Json =>
      op === 'copy' || op === 'move' ? { op, path, from } : op === 'remove' ? { op, path } : { op, path, value },
    ),
  { maxLength: 3 },
);

const deleteOptions = fc
  .record<JsonObject>(
    {
      kind: fc.constantFrom('DeleteOptions', 'Status', ''),
      apiVersion: fc.constantFrom('v1', 'meta.k8s.io/v1', 'v9'),
      gracePeriodSeconds: fc.constantFrom(0, 30, -1),
      propagationPolicy: fc.constantFrom('Background', 'Orphan', 'Foreground', 'junk'),
      orphanDependents: fc.boolean(),
      dryRun: fc.constantFrom<Json[]>(['All'], ['junk'], [], ['All', 'All']),
      preconditions: fc.constantFrom<Json[]>({ uid: '$uid' }, { uid: 'x' }, { resourceVersion: '$rv' }, {}),
    },
    { requiredKeys: [] },
  )
  .chain((all) => fc.array(fc.nat(99), { maxLength: 3 }).map((keep) => few(all, keep)));

export const deleteBodies: fc.Arbitrary<Body> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Body>({}) },
  { weight: 1, arbitrary: encoded(maybeBroken(deleteOptions), 'application/json') },
);
