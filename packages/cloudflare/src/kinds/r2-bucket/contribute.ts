import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Resolution, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { r2BucketContract } from '../../targets/r2-bucket/contract.ts';
import { bucketRules, ruleProblems } from './bucket-rules.ts';
import { r2BucketKind } from './resource.ts';
import type { R2Bucket } from './resource.ts';

export const r2BucketContributor = defineContributor<R2Bucket, Account>({
  kind: r2BucketKind,
  finalizer: 'r2bucket.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/r2-bucket-finalizer'],
  resolve: (object, refs) => {
    const problems = [...moved(object), ...ruleProblems(object.spec)];
    if (problems.length > 0) return invalid(problems.join('; '));
    return credentialsOf(refs, { credentialsRef: object.spec.credentialsRef }, object.metadata.namespace);
  },
  contribute: (object, { accountId, credentials }) => {
    const { locationHint, storageClass } = object.spec;
    const config = {
      ...(locationHint && { locationHint }),
      ...(storageClass && { storageClass }),
      ...bucketRules(object.spec),
      ...adoptWish(object.metadata),
    };
    return [contribution(r2BucketContract, { accountId, ...placeOf(object) }, config, { credentials })];
  },
  deletionPolicy: ({ spec }) => spec.deletionPolicy,
  whileDeleting: { state: 'Deleting' },
  verdict: ({ spec }, view) => {
    const location = view.parts[0]?.outputs['location'] ?? '';
    if (!spec.locationHint || location === '' || location.toLowerCase() === spec.locationHint) return undefined;
    return { message: `the bucket is in ${location}: a location is chosen once, when a bucket is made` };
  },
  status: toStatus,
  ready: { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' },
});

function placeOf({ metadata, spec }: R2Bucket): { readonly jurisdiction: string; readonly name: string } {
  return { jurisdiction: spec.jurisdiction ?? 'default', name: spec.name || (metadata.name ?? '') };
}

/** Another name would be another bucket, and what is in the first would not be there. */
function moved(object: R2Bucket): readonly string[] {
  const { name, jurisdiction } = placeOf(object);
  const { bucketName = name, jurisdiction: before = jurisdiction } = object.status ?? {};
  return [
    ...(bucketName === name ? [] : [`spec.name: a bucket cannot be renamed, and this one is ${bucketName}`]),
    ...(before === jurisdiction ? [] : [`spec.jurisdiction: a bucket cannot be moved, and this one is in ${before}`]),
  ];
}

function invalid(message: string): Resolution<never> {
  return { ok: false, state: 'broken', reason: 'InvalidConfig', message };
}

function toStatus(object: R2Bucket, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { location, createdAt, corsRules, lifecycleRules } = part?.outputs ?? {};
  const { name, jurisdiction } = placeOf(object);
  return {
    state: stateOf(object, view),
    message: view.ready.message,
    ...(part?.synced && {
      bucketName: name,
      jurisdiction,
      location,
      createdAt,
      corsRulesCount: Number(corsRules),
      lifecycleRulesCount: Number(lifecycleRules),
    }),
  };
}

function stateOf({ status }: R2Bucket, { state, parts, losses }: View): string {
  if (state === 'Error' || losses.length > 0) return 'Error';
  if (state === 'Synced') return 'Ready';
  if (parts.length === 0) return 'Pending';
  return status?.bucketName ? 'Ready' : 'Creating';
}
