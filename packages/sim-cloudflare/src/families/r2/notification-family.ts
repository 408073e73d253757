import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { collectionRoutes } from '../collection-routes.ts';
import { r2Access } from './bucket-family.ts';
import { buckets, notifications, queues } from './r2-tables.ts';
import type { NotificationRule, Queue } from './r2-tables.ts';

const all = '/accounts/:account/event_notifications/r2/:bucket/configuration';
const one = `${all}/queues/:queue`;
const actions = new Set(['PutObject', 'CopyObject', 'DeleteObject', 'CompleteMultipartUpload', 'LifecycleDeletion']);

export const notificationFamily: Family = {
  name: 'r2-notifications',
  routes: [
    { method: 'GET', path: all, access: r2Access, run: getAll },
    { method: 'GET', path: one, access: r2Access, run: (call) => ({ result: toView(find(call), call) }) },
    { method: 'PUT', path: one, access: r2Access, run: addRules },
    { method: 'DELETE', path: one, access: r2Access, run: dropRules },
  ],
};

type Configuration = { readonly bucket: string; readonly queue: string; readonly rules: readonly NotificationRule[] };

function ofBucket(call: Call): readonly Configuration[] {
  const rows = [...call.state.rows(notifications, param(call, 'account')).values()];
  return rows.filter(({ bucket }) => bucket === param(call, 'bucket'));
}

function getAll(call: Call): Reply {
  const found = ofBucket(call);
  if (found.length === 0) throw refusal(404, 11_015, 'There is no event notification configuration for this bucket.');
  return { result: { bucketName: param(call, 'bucket'), queues: found.map((row) => toView(row, call)) } };
}

function find(call: Call): Configuration {
  const found = ofBucket(call).find(({ queue }) => queue === param(call, 'queue'));
  if (!found) throw refusal(404, 11_011, 'There is no event notification configuration for this queue.');
  return found;
}

/** Adds to the rules that are there; what overlaps with one of the bucket's is refused. */
function addRules(call: Call): Reply {
  const account = param(call, 'account');
  const { bucket = '', queue = '' } = call.params;
  if (![...call.state.rows(buckets, account).values()].some(({ name }) => name === bucket))
    throw refusal(404, 10_085, 'bucket not found');
  if (!call.state.get(queues, account, queue)) throw refusal(404, 11_000, 'queue not found');
  const { rules } = toFields(call.body);
  if (!Array.isArray(rules) || rules.length === 0) throw refusal(400, 11_014, 'rules are required');
  const added = rules.map((rule: unknown) => toRule(toFields(rule), call));
  const present = ofBucket(call).flatMap((row) => row.rules);
  for (const [index, rule] of added.entries()) {
    if ([...present, ...added.slice(0, index)].some((other) => overlaps(other, rule)))
      throw refusal(400, 11_020, 'rules overlap');
  }
  if (present.length + added.length > 100) throw refusal(400, 11_019, 'a bucket has at most 100 rules');
  const before = ofBucket(call).find((row) => row.queue === queue)?.rules ?? [];
  const row = { bucket, queue, rules: [...before, ...added] };
  call.state.put(notifications, account, `${bucket}/${queue}`, row);
  return { result: {} };
}

function toRule(fields: Fields, call: Call): NotificationRule {
  const given = Array.isArray(fields['actions']) ? fields['actions'].map(String) : [];
  if (given.length === 0 || given.some((action) => !actions.has(action)))
    throw refusal(400, 11_014, 'actions are invalid');
  return {
    ruleId: call.world.ids.uuid(),
    actions: given,
    prefix: textOf(fields['prefix']) ?? '',
    suffix: textOf(fields['suffix']) ?? '',
    description: textOf(fields['description']) ?? '',
    createdAt: timestamp(call.world),
  };
}

function overlaps(a: NotificationRule, b: NotificationRule): boolean {
  return (
    a.actions.some((action) => b.actions.includes(action)) &&
    (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) &&
    (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix))
  );
}

/** Those that are named, or all. */
function dropRules(call: Call): Reply {
  const row = find(call);
  const { ruleIds } = toFields(call.body);
  const gone = Array.isArray(ruleIds) ? new Set(ruleIds.map(String)) : undefined;
  const rules = gone ? row.rules.filter(({ ruleId }) => !gone.has(ruleId)) : [];
  const key = `${row.bucket}/${row.queue}`;
  if (rules.length > 0) call.state.put(notifications, param(call, 'account'), key, { ...row, rules });
  else call.state.remove(notifications, param(call, 'account'), key);
  return { result: {} };
}

function toView({ queue, rules }: Configuration, call: Call): object {
  const name = call.state.get(queues, param(call, 'account'), queue)?.name ?? '';
  const shown = rules.map(({ prefix, suffix, description, ...rule }) => ({
    ...rule,
    ...(prefix !== '' && { prefix }),
    ...(suffix !== '' && { suffix }),
    ...(description !== '' && { description }),
  }));
  return { queueId: queue, queueName: name, rules: shown };
}

export const queueFamily: Family = {
  name: 'queues',
  routes: collectionRoutes<Queue>({
    path: 'queues',
    access: accountAccess('Queues'),
    table: queues,
    notFound: { status: 404, code: 11_000, message: 'queue not found' },
    build: (call, old) => {
      const fields = toFields(call.body);
      const name = textOf(fields['queue_name']) ?? old?.name ?? '';
      if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) throw refusal(400, 11_003, 'queue name is invalid');
      const others = [...call.state.rows(queues, param(call, 'account')).values()].filter(({ id }) => id !== old?.id);
      if (others.some((other) => other.name === name)) throw refusal(409, 11_009, 'queue name is taken');
      const settings = isFields(fields['settings']) ? fields['settings'] : (old?.settings ?? {});
      return {
        id: old?.id ?? call.world.ids.hex(32),
        name,
        createdOn: old?.createdOn ?? timestamp(call.world),
        settings,
      };
    },
    toView: ({ id, name, createdOn, settings }) => ({
      queue_id: id,
      queue_name: name,
      created_on: createdOn,
      settings,
    }),
    beforeDelete: ({ id }, call) => {
      const rows = [...call.state.rows(notifications, param(call, 'account')).values()];
      if (rows.some(({ queue }) => queue === id))
        throw refusal(400, 11_017, 'queue is the target of event notifications');
    },
  }),
};
