import { isCloudflareError } from '@tributary/cloudflare-api';
import type { CloudflareError } from '@tributary/cloudflare-api';
import { readMark } from '../../engine/l4-state/ownership-mark.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call, Update } from '../../engine/l5-sync/target.ts';
import { accountCalls } from '../account-object.ts';
import { markedObject, markedWish } from '../marked-object.ts';
import type { MarkedDesired, MarkedObserved } from '../marked-object.ts';
import type { OwnedConfig, OwnedKey } from '../owned-contract.ts';
import { retold } from '../retold.ts';
import { canonicalRuleField } from './canonical-rule.ts';
import { gatewayRuleContract } from './contract.ts';

const calls = accountCalls<OwnedKey>(({ zeroTrust }) => zeroTrust.gateway.rules);
const fields = [
  ...(['name', 'description', 'precedence', 'enabled', 'action', 'filters', 'schedule', 'expiration'] as const),
  ...(['traffic', 'identity', 'device_posture', 'rule_settings'] as const),
];
const marked = markedObject(calls, fields, { canonical: canonicalRuleField });

export const gatewayRuleTarget = defineTarget<OwnedKey, OwnedConfig, MarkedDesired, MarkedObserved>({
  ...marked,
  contract: gatewayRuleContract,
  aggregate: (sources) => markedWish(sources, 'Gateway rule'),
  create: {
    repeatable: 'natural-key',
    run: async ({ body }, key, call) =>
      calls.create(body, key, call).catch(async (error: unknown) => blame(error, body['precedence'], key, call)),
  },
  update: async (change, call) => {
    const { key, wanted, observed } = change;
    try {
      return await calls.update(observed.id, wanted.body, key, call);
    } catch (error) {
      return changePlaces(error, change, call);
    }
  },
});

type Rule = MarkedObserved & { readonly precedence?: number };
type Change = Update<OwnedKey, MarkedDesired, MarkedObserved>;

/**
 * Two rules of ours that swap their precedences stand in each other's way for ever. The one that is refused goes behind
 * all others for the moment, so that the other can have its place, and is then tried again.
 */
async function changePlaces(error: unknown, { key, wanted, observed }: Change, call: Call): Promise<never> {
  if (!isRefusal(error)) throw error;
  const others = await othersThan(observed.id, key, call);
  const holder = others.find(({ precedence }) => precedence === wanted.body['precedence']);
  const last = Math.max(0, ...others.map(({ precedence }) => precedence ?? 0));
  const isBehind = ((observed as Rule).precedence ?? 0) > last;
  if (holder && readMark(holder.description) && !isBehind) {
    await calls.update(observed.id, { ...wanted.body, precedence: last + 1 }, key, call);
  }
  throw holder ? taken(error, holder) : error;
}

/** Which rule has the precedence, where that is why a create was refused. */
async function blame(error: unknown, precedence: unknown, key: OwnedKey, call: Call): Promise<never> {
  if (!isRefusal(error)) throw error;
  const holder = (await othersThan(undefined, key, call)).find((rule) => rule.precedence === precedence);
  throw holder ? taken(error, holder) : error;
}

// The code of this refusal is not known for certain, so look for the rule that stands in the way.
function isRefusal(error: unknown): error is CloudflareError {
  return isCloudflareError(error, 'validation', 'conflict', 'already-exists');
}

async function othersThan(id: string | undefined, key: OwnedKey, call: Call): Promise<readonly Rule[]> {
  return ((await marked.observe.list?.(key, call)) ?? []).filter((rule) => rule.id !== id);
}

function taken(refusal: CloudflareError, { name, precedence }: Rule): CloudflareError {
  const detail = `${refusal.detail}; the rule ${name} has the precedence ${precedence ?? ''}`;
  return retold(refusal, { class: 'conflict', retry: { kind: 'backoff' }, detail });
}
