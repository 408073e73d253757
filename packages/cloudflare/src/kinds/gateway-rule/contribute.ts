import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accountObjectStatus, accountObjectWords, ownedConfigOf } from '../../refs/account-object.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { oldest } from '../../refs/oldest.ts';
import { gatewayRuleContract } from '../../targets/gateway-rule/contract.ts';
import { gatewayRuleKind } from './resource.ts';
import type { GatewayRule } from './resource.ts';
import { toWireRule, unreadable } from './to-wire.ts';

export const gatewayRuleContributor = defineContributor<GatewayRule, Account>({
  kind: gatewayRuleKind,
  ...finalizersOf('gatewayrule'),
  resolve,
  contribute: (object, { accountId, credentials }) => {
    const key = { accountId, owner: `GatewayRule/${object.metadata.name ?? ''}` };
    return [contribution(gatewayRuleContract, key, ownedConfigOf(object, toWireRule(object.spec)), { credentials })];
  },
  status: ({ status }, view) => accountObjectStatus(view, status, 'ruleId'),
  ready: accountObjectWords,
});

/** Rules of one precedence have no order among them, and Cloudflare refuses the second: it is told whose it is. */
function resolve(object: GatewayRule, refs: Refs): Resolution<Account> {
  const account = credentialsOf(refs, object.spec.cloudflare, undefined);
  if (!account.ok) return account;
  const wrong = unreadable(object.spec);
  if (wrong) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: wrong };
  const { precedence } = object.spec;
  const rivals = refs.list(gatewayRuleKind).filter(({ metadata, spec }) => {
    if (spec.precedence !== precedence || metadata.name === object.metadata.name) return false;
    const theirs = credentialsOf(refs, spec.cloudflare, undefined);
    return theirs.ok && theirs.value.accountId === account.value.accountId;
  });
  // One that is being deleted has its precedence until it is gone.
  const leaving = rivals.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const first = leaving ?? oldest([object, ...rivals]);
  const name = first?.metadata.name ?? '';
  if (name === object.metadata.name) return account;
  const message = `spec.precedence: GatewayRule ${name} has the precedence ${precedence} already`;
  return { ok: false, state: leaving ? 'waiting' : 'broken', reason: 'DuplicatePrecedence', message };
}
