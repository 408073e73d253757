import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { r2BucketKind } from '../../kinds/r2-bucket/resource.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Account } from '../credentials-of.ts';

export type BucketPlace = Account & { readonly jurisdiction: string };

type Asking = {
  readonly bucketName: string;
  readonly jurisdiction?: string | undefined;
  readonly credentialsRef?: { readonly name: string } | undefined;
};

/**
 * The account and the jurisdiction of a bucket that is known by its name. An R2Bucket of that name beside the object is
 * waited for, and tells its jurisdiction; without one the bucket is somebody's own and taken to be there.
 */
export function bucketOf(refs: Refs, asking: Asking, namespace: string | undefined): Resolution<BucketPlace> {
  const { bucketName, credentialsRef } = asking;
  const account = credentialsOf(refs, { credentialsRef }, namespace);
  if (!account.ok) return account;
  const objects = refs.list(r2BucketKind, { namespace: namespace ?? '' });
  const object = objects.find(({ metadata, spec }) => (spec.name || metadata.name) === bucketName);
  const jurisdiction = asking.jurisdiction ?? object?.spec.jurisdiction ?? 'default';
  if (!object || object.metadata.deletionTimestamp || object.status?.bucketName) {
    return { ok: true, value: { ...account.value, jurisdiction } };
  }
  const message = `R2Bucket ${object.metadata.name ?? ''} is not ready yet`;
  return { ok: false, state: 'waiting', reason: 'DependencyError', message };
}
