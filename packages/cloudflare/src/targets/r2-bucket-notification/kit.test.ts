import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import type { NotificationRule, R2BucketNotificationConfig } from './contract.ts';
import { r2BucketNotificationTarget } from './sync.ts';

const account = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}`;
const configuration = (sim: SimCloudflare): string => `${account(sim)}/event_notifications/r2/photos/configuration`;

type Queue = {
  readonly queueId: string;
  readonly rules: readonly { readonly ruleId: string; readonly prefix?: string }[];
};
const rulesOf = (sim: SimCloudflare): Queue['rules'] =>
  (atDashboard(sim, 'GET', configuration(sim))['queues'] as readonly Queue[]).flatMap(({ rules }) => rules);

const rule: NotificationRule = { actions: ['PutObject', 'CopyObject'], prefix: 'in/', suffix: '', description: 'new' };
const changed = (fields: Partial<NotificationRule>): (() => R2BucketNotificationConfig) => {
  return () => ({ rules: [{ ...rule, ...fields }] });
};

describeTarget('notifications of a bucket that others use too', {
  target: r2BucketNotificationTarget,
  prepare: (sim) => {
    atDashboard(sim, 'POST', `${account(sim)}/r2/buckets`, { name: 'photos' });
    const queue = atDashboard(sim, 'POST', `${account(sim)}/queues`, { queue_name: 'jobs' });
    const foreign = { actions: ['DeleteObject'], description: 'of the admin' };
    atDashboard(sim, 'PUT', `${configuration(sim)}/queues/${String(queue['queue_id'])}`, { rules: [foreign] });
  },
  key: ({ accountId }) => ({ accountId, jurisdiction: 'default', bucket: 'photos', queue: 'jobs' }),
  config: () => ({ rules: [rule] }),
  changes: {
    prefix: changed({ prefix: 'out/' }),
    'a prefix that overlaps': changed({ prefix: 'in/new/' }),
    suffix: changed({ suffix: '.jpg' }),
    actions: changed({ actions: ['CompleteMultipartUpload'] }),
    description: changed({ description: 'other' }),
    'one rule more': () => ({ rules: [rule, { ...rule, prefix: 'out/' }] }),
  },
  // The foreign one stays, and ours is one more.
  remote: rulesOf,
  edit: (sim) => {
    const [queue] = atDashboard(sim, 'GET', configuration(sim))['queues'] as readonly Queue[];
    const ruleIds = queue?.rules.filter(({ prefix }) => prefix === 'in/').map(({ ruleId }) => ruleId);
    return atDashboard(sim, 'DELETE', `${configuration(sim)}/queues/${queue?.queueId ?? ''}`, { ruleIds });
  },
});
