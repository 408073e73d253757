import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { toCursorPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { buckets } from './r2-tables.ts';
import type { Bucket } from './r2-tables.ts';

export const r2Access = accountAccess('Workers R2 Storage');
export const bucketsPath = '/accounts/:account/r2/buckets';
export const bucketPath = `${bucketsPath}/:bucket`;
const jurisdictions = new Set(['default', 'eu', 'us', 'fedramp', 'fedramp-high']);
const day = 86_400;

const defaultLifecycle: readonly Fields[] = [
  {
    id: 'Default Multipart Abort Rule',
    enabled: true,
    conditions: { prefix: '' },
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 7 * day } },
  },
];

export const bucketFamily: Family = {
  name: 'r2-buckets',
  routes: [
    { method: 'GET', path: bucketsPath, access: r2Access, run: listBuckets },
    { method: 'POST', path: bucketsPath, access: r2Access, run: createBucket },
    { method: 'GET', path: bucketPath, access: r2Access, run: (call) => ({ result: toView(findBucket(call)) }) },
    { method: 'PATCH', path: bucketPath, access: r2Access, run: editBucket },
    { method: 'DELETE', path: bucketPath, access: r2Access, run: deleteBucket },
    { method: 'GET', path: `${bucketPath}/cors`, access: r2Access, run: getCors },
    { method: 'PUT', path: `${bucketPath}/cors`, access: r2Access, run: (call) => putRules(call, 'cors') },
    { method: 'DELETE', path: `${bucketPath}/cors`, access: r2Access, run: deleteCors },
    {
      method: 'GET',
      path: `${bucketPath}/lifecycle`,
      access: r2Access,
      run: (call) => ({ result: { rules: findBucket(call).lifecycle } }),
    },
    { method: 'PUT', path: `${bucketPath}/lifecycle`, access: r2Access, run: (call) => putRules(call, 'lifecycle') },
    {
      method: 'GET',
      path: `${bucketPath}/lock`,
      access: r2Access,
      run: (call) => ({ result: { rules: findBucket(call).lock } }),
    },
    { method: 'PUT', path: `${bucketPath}/lock`, access: r2Access, run: (call) => putRules(call, 'lock') },
  ],
};

/** The header is part of a bucket's identity. */
function jurisdictionOf(call: Call): string {
  const jurisdiction = call.request.headers['cf-r2-jurisdiction'] ?? 'default';
  if (!jurisdictions.has(jurisdiction)) throw refusal(400, 10_064, `unknown jurisdiction ${jurisdiction}`);
  return jurisdiction;
}

function keyOf(jurisdiction: string, name: string): string {
  return `${jurisdiction}/${name}`;
}

export function findBucket(call: Call): Bucket {
  const bucket = call.state.get(buckets, param(call, 'account'), keyOf(jurisdictionOf(call), param(call, 'bucket')));
  if (!bucket) throw refusal(404, 10_006, 'The specified bucket does not exist.');
  return bucket;
}

export function putBucket(call: Call, bucket: Bucket): void {
  call.state.put(buckets, param(call, 'account'), keyOf(bucket.jurisdiction, bucket.name), bucket);
}

function listBuckets(call: Call): Reply {
  const jurisdiction = jurisdictionOf(call);
  const contains = call.query.get('name_contains') ?? '';
  const rows = [...call.state.rows(buckets, param(call, 'account')).values()].filter(
    (bucket) => bucket.jurisdiction === jurisdiction && bucket.name.includes(contains),
  );
  const page = toCursorPage(call.query, rows, {
    defaultSize: 20,
    maxSize: 1000,
    keyOf: ({ name }) => name,
    style: 'cursor',
  });
  return { result: { buckets: page.result.map((row) => toView(row as Bucket)) }, info: page.info };
}

function createBucket(call: Call): Reply {
  const fields = toFields(call.body);
  const name = textOf(fields['name']) ?? '';
  if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name))
    throw refusal(400, 10_005, 'The specified bucket name is not valid.');
  const jurisdiction = jurisdictionOf(call);
  if (call.state.get(buckets, param(call, 'account'), keyOf(jurisdiction, name))) {
    throw refusal(409, 10_004, 'The bucket you tried to create already exists, and you own it.');
  }
  const bucket: Bucket = {
    name,
    jurisdiction,
    location: (textOf(fields['locationHint']) ?? 'weur').toUpperCase(),
    storageClass: textOf(fields['storageClass']) ?? 'Standard',
    createdAt: timestamp(call.world),
    cors: undefined,
    lifecycle: defaultLifecycle,
    lock: [],
    domains: [],
    managedEnabled: false,
    objects: 0,
  };
  putBucket(call, bucket);
  return { result: toView(bucket) };
}

function editBucket(call: Call): Reply {
  const bucket = { ...findBucket(call), storageClass: call.request.headers['cf-r2-storage-class'] ?? 'Standard' };
  putBucket(call, bucket);
  return { result: toView(bucket) };
}

function deleteBucket(call: Call): Reply {
  const bucket = findBucket(call);
  if (bucket.objects > 0) throw refusal(409, 10_008, 'The bucket you tried to delete is not empty.');
  call.state.remove(buckets, param(call, 'account'), keyOf(bucket.jurisdiction, bucket.name));
  return { result: {} };
}

function getCors(call: Call): Reply {
  const { cors } = findBucket(call);
  if (!cors) throw refusal(404, 10_059, 'The CORS configuration does not exist.');
  return { result: { rules: cors } };
}

function deleteCors(call: Call): Reply {
  putBucket(call, { ...findBucket(call), cors: undefined });
  return { result: {} };
}

/** The whole list; a rule without an id gets one. */
function putRules(call: Call, name: 'cors' | 'lifecycle' | 'lock'): Reply {
  const { rules } = toFields(call.body);
  if (!Array.isArray(rules) || rules.length > 1000) throw refusal(400, 10_040, 'rules must be a list of at most 1000');
  const known = rules
    .filter(isFields)
    .map((rule) => (rule['id'] === undefined ? { id: call.world.ids.uuid(), ...rule } : rule));
  if (name !== 'cors' && known.some((rule) => typeof rule['enabled'] !== 'boolean')) {
    throw refusal(400, 10_040, 'a rule must say whether it is enabled');
  }
  putBucket(call, { ...findBucket(call), [name]: known });
  return { result: {} };
}

function toView({ name, jurisdiction, location, storageClass, createdAt }: Bucket): object {
  return { name, jurisdiction, location, storage_class: storageClass, creation_date: createdAt };
}
