import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { secretKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { createAccessIds } from '../../refs/access/access-refs.ts';
import { accessWords, commonStatus, nameAtCloudflare } from '../../refs/access/access-shape.ts';
import { accessPolicyOf } from '../../refs/access/access-policy-of.ts';
import { ownSecret } from '../../refs/access/used-secret.ts';
import type { OwnSecret } from '../../refs/access/used-secret.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { accessApplicationContract } from '../../targets/access-application/contract.ts';
import { resolvePolicies } from './resolve-policies.ts';
import type { ResolvedPolicies } from './resolve-policies.ts';
import { accessApplicationKind } from './resource.ts';
import type { AccessApplication } from './resource.ts';
import { toStatus } from './status.ts';
import { toFields } from './to-fields.ts';
import type { WireFields } from './to-fields.ts';

type Resolved = {
  readonly account: Account;
  readonly fields: WireFields;
  readonly policies: ResolvedPolicies;
  readonly secret: OwnSecret | undefined;
};

export const accessApplicationContributor = defineContributor<AccessApplication, Resolved>({
  kind: accessApplicationKind,
  ...finalizersOf('accessapplication'),
  formerFinalizers: ['cloudflare.com/accessapplication-finalizer'],
  childKinds: [secretKind],
  resolve,
  contribute: ({ metadata, spec }, { account, fields, policies, secret }) => {
    const { accountId, credentials } = account;
    const key = { accountId, owner: `AccessApplication/${metadata.name ?? ''}` };
    const config = {
      name: nameAtCloudflare(metadata, spec),
      type: spec.type,
      fields,
      ownPolicies: policies.own.map(({ group: _group, ...policy }) => policy),
      sharedPolicies: policies.shared.map(({ ref: _ref, ...policy }) => policy),
      ...(secret && { secrets: secret.use }),
      ...adoptWish(metadata),
    };
    return [contribution(accessApplicationContract, key, config, { credentials })];
  },
  children: (_object, { secret }) => (secret ? [secret.child] : []),
  status: (object, view, refs) => {
    const resolved = resolve(object, refs);
    const common = commonStatus(view, object.status, 'applicationId', 'active');
    return { ...common, ...(resolved.ok && toStatus(view, resolved.value.policies, refs)) };
  },
  ready: accessWords,
});

/** Everything that is referred to must be there: a policy that is left out could be the one that keeps people out. */
function resolve(object: AccessApplication, refs: Refs): Resolution<Resolved> {
  const { spec } = object;
  const account = credentialsOf(refs, spec.cloudflare, undefined);
  if (!account.ok) return account;
  const ids = createAccessIds(refs, account.value);
  const providers = (spec.allowedIdpRefs ?? []).map(({ name }) => ids.idOf('AccessIdentityProvider', { name }));
  const policies = resolvePolicies(spec, ids, (name) => accessPolicyOf(refs, name)?.spec.precedence);
  const known = providers.flatMap((id) => (id.ok ? [id.value] : []));
  const fields = toFields(spec, [...new Set([...(spec.allowedIdps ?? []), ...known])]);
  const missing = ids.missing();
  if (missing) return missing;
  for (const part of [policies, fields]) {
    if (!part.ok) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: part.message };
  }
  if (!policies.ok || !fields.ok) throw new TypeError('both have been checked');
  const secret = ownSecret('AccessApplication', object, secretsOf(spec), refs);
  return { ok: true, value: { account: account.value, fields: fields.value, policies: policies.value, secret } };
}

function secretsOf({ scimConfig }: AccessApplication['spec']): Readonly<Record<string, string | undefined>> {
  const { password, token, clientSecret } = scimConfig?.authentication ?? {};
  const at = 'scim_config.authentication';
  return { [`${at}.password`]: password, [`${at}.token`]: token, [`${at}.client_secret`]: clientSecret };
}
