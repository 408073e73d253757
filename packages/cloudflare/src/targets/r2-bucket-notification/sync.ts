import { isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { OperatorError } from '@tributary/runtime';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { atJurisdiction } from '../r2-params.ts';
import { retold } from '../retold.ts';
import { unlessGone } from '../unless-gone.ts';
import { r2BucketNotificationContract } from './contract.ts';
import type { NotificationRule, R2BucketNotificationConfig, R2BucketNotificationKey } from './contract.ts';
import {
  aggregateNotifications,
  differingRules,
  mergeNotifications,
  nameOf,
  overlaps,
  recordNotifications,
} from './notification-rules.ts';
import type { ObservedRules, RecordedRules, RemoteRule, WantedRules } from './notification-rules.ts';

type Key = R2BucketNotificationKey;

export const r2BucketNotificationTarget = defineTarget<Key, R2BucketNotificationConfig, WantedRules, ObservedRules>({
  contract: r2BucketNotificationContract,
  aggregate: aggregateNotifications,
  scope: ({ accountId, jurisdiction, bucket }) => `${accountId}/${jurisdiction}/${bucket}`,
  observe: { lookup },
  idOf: ({ queueId }) => queueId,
  relation: () => 'same',
  difference: differingRules,
  shared: {
    record: recordNotifications,
    merge: (wanted, observed, recorded) => mergeNotifications(wanted, observed, recorded as RecordedRules | undefined),
    cleared: (observed, recorded) => mergeNotifications({ rules: [] }, observed, recorded as RecordedRules | undefined),
    entries: (recorded) => (recorded as RecordedRules).rules,
  },
  update: async ({ key, wanted, observed }, call) => {
    await change(wanted, observed.queueId, key, call);
    // The answer to a write does not tell the ids.
    return { queueId: observed.queueId, rules: await rulesFor(observed.queueId, key, call) };
  },
  giveUp: () => 'clear',
  outputs: ({ queueId }, { merged }) => ({
    data: { queueId, foreignRules: String(merged?.foreign.length ?? 0) },
  }),
});

async function lookup({ key, desired, id }: Asked<Key, WantedRules>, call: Call): Promise<readonly ObservedRules[]> {
  const known = id === undefined ? undefined : await rulesFor(id, key, call);
  if (id !== undefined && known?.length) return [{ queueId: id, rules: known }];
  const queueId = await findQueue(key, call);
  if (queueId !== undefined) return [{ queueId, rules: await rulesFor(queueId, key, call) }];
  if (!desired) return [];
  const message = `queue ${key.queue} is not there`;
  throw new OperatorError('r2/queue-not-found', message, { kind: 'after', ms: 60_000 });
}

async function findQueue({ accountId, queue }: Key, { api, signal }: Call): Promise<string | undefined> {
  const queues = await listAll(api.queues.list({ account_id: accountId }, { signal }));
  return queues.find(({ queue_name: name }) => name === queue)?.queue_id;
}

function paramsOf(key: Key): ReturnType<typeof atJurisdiction> & { readonly bucket_name: string } {
  return { ...atJurisdiction(key), bucket_name: key.bucket };
}

type Answer = Partial<RemoteRule>;

/** Where nothing was ever said about the queue there is nothing to be found. */
async function rulesFor(queueId: string, key: Key, { api, signal }: Call): Promise<readonly RemoteRule[]> {
  const found = await unlessGone(api.r2.buckets.eventNotifications.get(queueId, paramsOf(key), { signal }));
  const rules = (found?.rules ?? []) as readonly Answer[];
  return rules.map(({ ruleId = '', actions = [], prefix = '', suffix = '', description = '' }) => {
    return { ruleId, actions, prefix, suffix, description };
  });
}

/** A rule can only be replaced, and what overlaps must go first; else nothing is missed in between. */
async function change({ merged }: WantedRules, queueId: string, key: Key, call: Call): Promise<void> {
  const { add = [], drop = [] } = merged ?? {};
  const inTheWay = drop.filter((old) => add.some((rule) => overlaps(rule, old)));
  const later = drop.filter((old) => !inTheWay.includes(old));
  await dropRules(inTheWay, queueId, key, call);
  try {
    await addRules(add, queueId, key, call);
  } catch (error) {
    await restore(inTheWay, queueId, key, call);
    throw await explained(error, add, key, call);
  }
  await dropRules(later, queueId, key, call);
}

async function addRules(rules: readonly NotificationRule[], queueId: string, key: Key, call: Call): Promise<void> {
  if (rules.length === 0) return;
  const body = rules.map(({ actions, prefix, suffix, description }) => {
    return { actions, description, ...(prefix && { prefix }), ...(suffix && { suffix }) };
  });
  const params = { ...paramsOf(key), rules: body as never };
  await call.api.r2.buckets.eventNotifications.update(queueId, params, { signal: call.signal });
}

async function dropRules(rules: readonly RemoteRule[], queueId: string, key: Key, call: Call): Promise<void> {
  if (rules.length === 0) return;
  // Without a body all rules would go. The SDK knows of none, but passes it on.
  const body = { ruleIds: rules.map(({ ruleId }) => ruleId) };
  await call.api.r2.buckets.eventNotifications.delete(queueId, paramsOf(key), { signal: call.signal, body });
}

/** The new rules were refused: better the old ones than none. A further failure is no news. */
async function restore(rules: readonly RemoteRule[], queueId: string, key: Key, call: Call): Promise<void> {
  await addRules(rules, queueId, key, call).catch(() => undefined);
}

/** Which rule of the bucket is in the way, of whatever queue. */
async function explained(
  error: unknown,
  wanted: readonly NotificationRule[],
  key: Key,
  { api, signal }: Call,
): Promise<unknown> {
  if (!isCloudflareError(error, 'conflict')) return error;
  const all = await api.r2.buckets.eventNotifications.list(key.bucket, atJurisdiction(key), { signal });
  const found = (all.queues ?? []).flatMap(({ queueName = '', rules = [] }) =>
    (rules as readonly Answer[])
      .map(({ actions = [], prefix = '', suffix = '' }) => ({ actions, prefix, suffix, description: '' }))
      .filter((rule) => wanted.some((mine) => overlaps(mine, rule)))
      .map((rule) => `${nameOf(rule)} to queue ${queueName}`),
  );
  return found.length === 0 ? error : retold(error, { detail: `${error.detail}; in the way: ${found.join('; ')}` });
}
