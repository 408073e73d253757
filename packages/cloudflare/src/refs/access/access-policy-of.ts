import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { accessPolicyKind } from '../../kinds/access-policy/resource.ts';
import type { AccessPolicy } from '../../kinds/access-policy/resource.ts';

export function accessPolicyOf(refs: Refs, name: string): AccessPolicy | undefined {
  return refs.get(accessPolicyKind, { name });
}
