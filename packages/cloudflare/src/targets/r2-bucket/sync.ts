import { isCloudflareError } from '@tributary/cloudflare-api';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { inUse } from '../in-use.ts';
import { atJurisdiction } from '../r2-params.ts';
import { unlessGone } from '../unless-gone.ts';
import { differingSections, fresh, sectionsOf } from './compare-bucket.ts';
import type { DesiredBucket, ObservedBucket } from './compare-bucket.ts';
import { r2BucketContract } from './contract.ts';
import type { CorsRule, LifecycleRule, R2BucketConfig, R2BucketKey } from './contract.ts';

export const r2BucketTarget = defineTarget<R2BucketKey, R2BucketConfig, DesiredBucket, ObservedBucket>({
  contract: r2BucketContract,
  aggregate: (sources, { name }) => {
    const { winner, losers } = firstWins(sources, `bucket ${name}`);
    const { adopt: _adopt, ...config } = winner.config;
    return { ok: true, desired: { name, ...config }, losers };
  },
  scope: ({ accountId, jurisdiction }) => `${accountId}/${jurisdiction}`,
  observe: { lookup },
  idOf: ({ name }) => name,
  bornAt: ({ createdAt }) => createdAt,
  relation: ({ name }, observed) => (observed.name === name ? 'same' : 'none'),
  difference: differingSections,
  memory: { before: sectionsOf, after: sectionsOf },
  // The name is taken once, but it carries no mark by which a bucket of ours would be known.
  create: { repeatable: 'intent', run: create },
  update: async ({ key, wanted, observed, fields }, call) => writeSections(wanted, observed, fields, key, call),
  giveUp: () => 'delete',
  remove,
  outputs: ({ location, createdAt, cors, lifecycle }) => ({
    data: { location, createdAt, corsRules: String(cors.length), lifecycleRules: String(lifecycle.length) },
  }),
});

type Buckets = Call['api']['r2']['buckets'];

async function lookup(
  { key, desired }: Asked<R2BucketKey, DesiredBucket>,
  { api, signal }: Call,
): Promise<readonly ObservedBucket[]> {
  const { buckets } = api.r2;
  const params = atJurisdiction(key);
  const bucket = await unlessGone(buckets.get(key.name, params, { signal }));
  if (!bucket) return [];
  // Who only wants to delete it need not know its rules.
  const [cors, lifecycle] = desired
    ? await Promise.all([
        unlessGone(buckets.cors.get(key.name, params, { signal })),
        unlessGone(buckets.lifecycle.get(key.name, params, { signal })),
      ])
    : [];
  return [toObserved(bucket, cors?.rules ?? [], (lifecycle?.rules ?? []) as LifecycleRule[])];
}

async function create(wanted: DesiredBucket, key: R2BucketKey, call: Call): Promise<ObservedBucket> {
  const { name, locationHint, storageClass } = wanted;
  const body = {
    ...atJurisdiction(key),
    name,
    ...(locationHint && { locationHint }),
    ...(storageClass && { storageClass }),
  };
  const made = await call.api.r2.buckets.create(body as Parameters<Buckets['create']>[0], { signal: call.signal });
  const observed = toObserved(made, [], fresh.lifecycle);
  return writeSections(wanted, observed, differingSections(wanted, observed, undefined), key, call);
}

async function writeSections(
  { storageClass = fresh.storageClass, cors = fresh.cors, lifecycle = fresh.lifecycle }: DesiredBucket,
  observed: ObservedBucket,
  fields: readonly string[],
  key: R2BucketKey,
  { api, signal }: Call,
): Promise<ObservedBucket> {
  const { buckets } = api.r2;
  const params = atJurisdiction(key);
  const { name } = key;
  if (fields.includes('storageClass')) {
    const body = { ...params, storage_class: storageClass as 'Standard' };
    await buckets.edit(name, body, { signal });
  }
  if (fields.includes('cors')) {
    if (cors.length === 0) await buckets.cors.delete(name, params, { signal });
    else await buckets.cors.update(name, { ...params, rules: [...cors] as never }, { signal });
  }
  if (fields.includes('lifecycle')) {
    await buckets.lifecycle.update(name, { ...params, rules: [...lifecycle] as never }, { signal });
  }
  return {
    ...observed,
    ...(fields.includes('storageClass') && { storageClass }),
    ...(fields.includes('cors') && { cors }),
    ...(fields.includes('lifecycle') && { lifecycle }),
  };
}

/** A bucket that holds something stays, until somebody has emptied it or says that it shall stay. */
async function remove({ name }: ObservedBucket, key: R2BucketKey, { api, signal }: Call): Promise<void> {
  try {
    await api.r2.buckets.delete(name, atJurisdiction(key), { signal });
  } catch (error) {
    if (!isCloudflareError(error, 'in-use', 'conflict')) throw error;
    throw inUse(error, `empty bucket ${name}, or keep it: spec.deletionPolicy: Orphan`);
  }
}

type Bucket = Awaited<ReturnType<Buckets['get']>>;

function toObserved(
  { name = '', location, storage_class: storageClass, creation_date: createdAt = '' }: Bucket,
  cors: readonly CorsRule[],
  lifecycle: readonly LifecycleRule[],
): ObservedBucket {
  return {
    name,
    location: location ?? '',
    storageClass: storageClass ?? fresh.storageClass,
    createdAt,
    cors,
    lifecycle,
  };
}
