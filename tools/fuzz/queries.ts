// Parameters that a request to the API may carry, with values right and wrong.
import fc from 'fast-check';

export type Query = readonly (readonly [string, string])[];

const flags = ['true', 'false', '1', '0', '', 'yes', 'TRUE', 'junk'];

const labelSelectors = [
  'a=b',
  'a==b',
  'a!=b',
  'a',
  '!a',
  'a in (b,c)',
  'a notin (b)',
  'a in ()',
  'a in (b',
  'a=b,c=d',
  'a=b,,c=d',
  ',',
  '=',
  'a=',
  '=b',
  'a b',
  'a>1',
  'a>x',
  'a<5',
  'a/b/c=d',
  'A.b-c/d_e=f',
  '-a=b',
  'a=-b',
  'x in (a),y notin (b),z,!w',
  'ä=b',
  'a=b=c',
  `${'l'.repeat(64)}=x`,
  `a=${'v'.repeat(64)}`,
  '(a)',
];

const fieldSelectors = [
  'metadata.name=a',
  'metadata.name==a',
  'metadata.name!=a',
  'metadata.namespace=default',
  'metadata.name=a,metadata.namespace=default',
  'metadata.uid=x',
  'metadata.labels=x',
  'spec.nothing=x',
  'spec.text=x',
  'type=Opaque',
  'status.phase=Active',
  'metadata.name',
  'metadata.name in (a)',
  '=',
  'metadata.name=',
  'metadata.name=\\',
  'metadata.name=a\\,b',
  'a=b,',
  '!metadata.name',
];

const versions = ['', '0', '1', '$rv', '-1', 'x', '1.5', '00', '18446744073709551616'];
const numbers = ['0', '1', '2', '500', '-1', 'x', '', '1.5', '9223372036854775808', ' 1', '+1', '1e3'];

const values: Readonly<Record<string, readonly string[]>> = {
  dryRun: ['All', 'All', 'All', 'All', 'All', 'all', ''],
  fieldManager: ['fuzz', 'fuzz', 'other', 'a b', '', 'ü', 'm'.repeat(128), 'm'.repeat(129), 'a\tb'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'Strict', 'Warn', 'Ignore', '', 'strict', 'junk'],
  force: flags,
  pretty: flags,
  limit: numbers,
  continue: ['', 'junk', '$continue', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYSJ9', 'e30'],
  resourceVersion: versions,
  resourceVersionMatch: ['Exact', 'NotOlderThan', '', 'junk'],
  labelSelector: labelSelectors,
  fieldSelector: fieldSelectors,
  watch: flags,
  allowWatchBookmarks: flags,
  sendInitialEvents: flags,
  timeoutSeconds: numbers,
  timeout: ['1s', '30s', '0', 'x', '1', '-1s', ''],
  gracePeriodSeconds: numbers,
  propagationPolicy: ['Background', 'Foreground', 'Orphan', '', 'junk'],
  orphanDependents: flags,
  ignoreStoreReadErrorWithClusterBreakingPotential: flags,
  unheardOf: ['', 'x'],
};

const names = Object.keys(values);
const reading = [
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'labelSelector',
  'fieldSelector',
  'watch',
  'sendInitialEvents',
  'allowWatchBookmarks',
];
const writing = ['fieldManager', 'fieldManager', 'fieldValidation', 'fieldValidation', 'force', 'dryRun'];
const deleting = ['dryRun', 'gracePeriodSeconds', 'propagationPolicy', 'orphanDependents', 'labelSelector'];

function parameter(among: readonly string[]): fc.Arbitrary<readonly [string, string]> {
  return fc
    .constantFrom(...among)
    .chain((name) => fc.constantFrom(...(values[name] ?? [''])).map((value) => [name, value] as const));
}

function few(among: readonly string[]): fc.Arbitrary<Query> {
  return fc.oneof(
    { weight: 7, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(parameter(among), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(parameter(names), { minLength: 1, maxLength: 3 }) },
  );
}

const byMethod: Readonly<Record<string, fc.Arbitrary<Query>>> = {
  GET: few(reading),
  HEAD: few(reading),
  DELETE: few(deleting),
};
const ofWrites = few(writing);

export function queriesOf(method: string): fc.Arbitrary<Query> {
  return byMethod[method] ?? ofWrites;
}
