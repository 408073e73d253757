import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { CloudflareDetails } from '../cloudflare-details.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Account } from '../credentials-of.ts';
import { createAccessIds } from './access-refs.ts';
import type { AccessRules } from './access-rule.ts';
import { toWireRules } from './wire-rules.ts';
import type { WireRules } from './wire-rules.ts';

export type ResolvedRules = { readonly account: Account; readonly rules: WireRules };

/** The account of an object and its rules, in the words of the API and with ids for what they refer to. */
export function resolveRules(
  spec: AccessRules & { readonly cloudflare: CloudflareDetails },
  refs: Refs,
): Resolution<ResolvedRules> {
  const account = credentialsOf(refs, spec.cloudflare, undefined);
  if (!account.ok) return account;
  const ids = createAccessIds(refs, account.value);
  const rules = toWireRules(spec, 'spec', (ref) => ids.idOf('AccessIdentityProvider', ref));
  if (rules.ok) return { ok: true, value: { account: account.value, rules: rules.value } };
  const invalid = { ok: false, state: 'broken', reason: 'InvalidConfig', message: rules.message } as const;
  return ids.missing() ?? invalid;
}
