import { toKey } from '@tributary/runtime';
import type { KubeObject, ObjectKey } from '@tributary/runtime';
import { copyBackReference } from '../contract/back-reference.ts';
import { claimOf } from '../contract/claim.ts';
import type { Claim, Identity } from '../contract/claim.ts';

/** The copy says that it is of the V object of this key. */
export function isCopyOf(copy: KubeObject, original: ObjectKey): boolean {
  const reference = copyBackReference(copy);
  return reference !== undefined && toKey(reference) === original;
}

/** Ours, or to be shared, or left by the original: what of it is of our V object may be used for it. */
export function isUsableClaim({ of }: Claim): boolean {
  return of === 'us' || of === 'sibling' || of === 'unmarked';
}

/** Who holds the place of a copy, if that is no copy of this V object: nothing of ours may see its content. */
export function foreignHolder(
  copy: KubeObject | undefined,
  original: ObjectKey,
  identity: Identity,
): Claim | undefined {
  if (!copy) return undefined;
  const claim = claimOf(copy, identity);
  return isUsableClaim(claim) && isCopyOf(copy, original) ? undefined : claim;
}
