import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { bucketOf } from '../../refs/r2/bucket-of.ts';
import type { BucketPlace } from '../../refs/r2/bucket-of.ts';
import { r2BucketNotificationContract } from '../../targets/r2-bucket-notification/contract.ts';
import type { NotificationRule } from '../../targets/r2-bucket-notification/contract.ts';
import { r2BucketNotificationKind } from './resource.ts';
import type { R2BucketNotification } from './resource.ts';

type Rule = R2BucketNotification['spec']['rules'][number];

const actions: Readonly<Record<Rule['eventTypes'][number], readonly string[]>> = {
  'object-create': ['PutObject', 'CopyObject', 'CompleteMultipartUpload'],
  'object-delete': ['DeleteObject', 'LifecycleDeletion'],
};

export const r2BucketNotificationContributor = defineContributor<R2BucketNotification, BucketPlace>({
  kind: r2BucketNotificationKind,
  finalizer: 'r2bucketnotification.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/r2-bucket-notification-finalizer'],
  resolve: ({ metadata, spec }, refs) => bucketOf(refs, spec, metadata.namespace),
  contribute: ({ metadata, spec }, { accountId, credentials, jurisdiction }) => {
    const key = { accountId, jurisdiction, bucket: spec.bucketName, queue: spec.queueName };
    const config = { rules: spec.rules.map(toRule), ...adoptWish(metadata) };
    return [contribution(r2BucketNotificationContract, key, config, { credentials })];
  },
  status: toStatus,
  ready: { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' },
});

export function toRule({ eventTypes, prefix = '', suffix = '', description = '' }: Rule): NotificationRule {
  return { actions: [...new Set(eventTypes.flatMap((type) => actions[type]))], prefix, suffix, description };
}

function toStatus({ spec, status }: R2BucketNotification, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const failed = view.state === 'Error' || view.losses.length > 0;
  const isActive = view.state === 'Synced' || status?.state === 'Active';
  return {
    state: failed ? 'Error' : isActive ? 'Active' : 'Pending',
    message: view.ready.message,
    ...(part?.synced && {
      queueId: part.outputs['queueId'],
      ruleCount: spec.rules.length - view.losses.length,
    }),
  };
}
