import type { Result } from '@tributary/runtime';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution, ContributionOptions } from '../../engine/l4-state/contract.ts';
import { accessGroupKind } from '../../kinds/access-group/resource.ts';
import { accessIdentityProviderKind } from '../../kinds/access-identity-provider/resource.ts';
import { accessPolicyKind } from '../../kinds/access-policy/resource.ts';
import { accessGroupContract } from '../../targets/access-group/contract.ts';
import { accessIdentityProviderContract } from '../../targets/access-identity-provider/contract.ts';
import { accessPolicyContract } from '../../targets/access-policy/contract.ts';
import type { Account } from '../credentials-of.ts';

/** One of them: an object of this cluster, or something at Cloudflare by its id or its name there. */
export type AccessRef = {
  readonly name?: string | undefined;
  readonly cloudflareId?: string | undefined;
  readonly cloudflareName?: string | undefined;
};

type Found = { readonly id: string | undefined } | undefined;
type LookupKey = { readonly accountId: string; readonly name: string; readonly lookup: 'true' };

const kinds = {
  AccessGroup: {
    find: (refs: Refs, name: string): Found => idIn(refs.get(accessGroupKind, { name }), 'groupId'),
    lookup: (key: LookupKey, options: ContributionOptions): Contribution =>
      contribution(accessGroupContract, key, { name: key.name }, options),
  },
  AccessPolicy: {
    find: (refs: Refs, name: string): Found => idIn(refs.get(accessPolicyKind, { name }), 'policyId'),
    lookup: (key: LookupKey, options: ContributionOptions): Contribution =>
      contribution(accessPolicyContract, key, { name: key.name }, options),
  },
  AccessIdentityProvider: {
    find: (refs: Refs, name: string): Found => idIn(refs.get(accessIdentityProviderKind, { name }), 'providerId'),
    lookup: (key: LookupKey, options: ContributionOptions): Contribution =>
      contribution(accessIdentityProviderContract, key, { name: key.name }, options),
  },
} as const;

function idIn<F extends string>(
  object: { readonly status?: { readonly [N in F]?: string | undefined } } | undefined,
  field: F,
): Found {
  return object && { id: object.status?.[field] };
}

export type AccessRefKind = keyof typeof kinds;

/**
 * Finds the ids behind references, one after the other. What is missing does not stop the others, so that everything
 * that has to be looked up is looked up at once; `close` tells whether all was found.
 */
export type AccessIds = {
  readonly idOf: (kind: AccessRefKind, ref: AccessRef) => Result<string>;
  /** The first thing that was missing, as a resolution; nothing when all was found. */
  readonly missing: () => Extract<Resolution<never>, { readonly ok: false }> | undefined;
};

export function createAccessIds(refs: Refs, account: Account): AccessIds {
  let missing: ReturnType<AccessIds['missing']>;
  const fail = (state: 'waiting' | 'broken', message: string): Result<never> => {
    missing ??= { ok: false, state, reason: 'DependencyError', message };
    return { ok: false, reason: state === 'waiting' ? 'NotReady' : 'NotFound', message };
  };
  const byName = (kind: AccessRefKind, name: string): Result<string> => {
    const found = kinds[kind].find(refs, name);
    if (!found) return fail('broken', `${kind} ${name} is not there`);
    return found.id ? { ok: true, value: found.id } : fail('waiting', `${kind} ${name} has no id yet`);
  };
  const byCloudflareName = (kind: AccessRefKind, name: string): Result<string> => {
    const { accountId, credentials } = account;
    const lookup = kinds[kind].lookup({ accountId, name, lookup: 'true' }, { credentials });
    const { status } = refs.lookUp(lookup) ?? {};
    if (status?.cloudflareID && status.syncStatus === 'Synced') return { ok: true, value: status.cloudflareID };
    if (status?.syncStatus === 'Error') return fail('broken', `${kind} ${name} at Cloudflare: ${status.error ?? ''}`);
    return fail('waiting', `${kind} ${name} is being looked up at Cloudflare`);
  };
  return {
    idOf: (kind, { name, cloudflareId, cloudflareName }) => {
      if (cloudflareId) return { ok: true, value: cloudflareId };
      if (cloudflareName) return byCloudflareName(kind, cloudflareName);
      return name ? byName(kind, name) : fail('broken', `${kind}: neither a name nor an id is given`);
    },
    missing: () => missing,
  };
}
