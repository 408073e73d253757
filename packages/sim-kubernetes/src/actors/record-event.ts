import type { ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';

const events = { group: '', plural: 'events' };

export type EventText = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Who tells it: `default-scheduler`, `kubelet`. */
  readonly component: string;
  readonly host?: string;
};

/** Tells of an object what `kubectl describe` shows. */
export async function recordEvent(
  { client, hooks }: Pick<ActorContext, 'client' | 'hooks'>,
  object: StoredObject,
  { type, reason, message, component, host }: EventText,
): Promise<void> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const now = hooks.now();
  await client.create(events, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${hooks.uuid().replaceAll('-', '').slice(0, 16)}`, namespace: namespace ?? 'default' },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
    },
    type,
    reason,
    message,
    source: { component, ...(host === undefined ? {} : { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  });
}
