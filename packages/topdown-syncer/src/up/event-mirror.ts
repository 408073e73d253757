// Shows in V what P has to say about a pod: an image that cannot be pulled, a volume that cannot be mounted, no node that fits.
import {
  createController,
  eventKind,
  hashOf,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
} from '@tributary/runtime';
import { settled, toRef, toTimestamp, watch } from '@tributary/runtime';
import type { Outcome, ReconcileContext, Runnable } from '@tributary/runtime';
import { podBackReference } from '../contract/back-reference.ts';
import type { Pod } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';
import { standsFor } from './mapped-pod.ts';

export type EventMirrorOptions = {
  /** True: normal events too, not only warnings. */
  readonly all?: boolean;
  /** What is older when the syncer starts was shown before, or nobody waits for it; 10 min when absent. */
  readonly maxAgeMs?: number;
};

/** core/v1 Event as components write it: much of it may be absent. */
type PhysicalEvent = NonNullable<(typeof eventKind)['objectType']> & {
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
};

export function createEventMirror({ all = false, maxAgeMs = 600_000 }: EventMirrorOptions, sides: Sides): Runnable {
  const scope = {
    namespace: sides.binding().mountNamespace,
    fieldSelector: `involvedObject.kind=Pod${all ? '' : ',type=Warning'}`,
  };
  const events = sides.physical.cache.informer(eventKind, scope);
  const isRecent = (event: PhysicalEvent): boolean => sides.clock.now() - lastSeenMs(event) <= maxAgeMs;
  const watches = [watch(eventKind, { scope, when: ({ type, object }) => type !== 'deleted' && isRecent(object) })];
  const reconcile = async (key: string, { signal }: ReconcileContext): Promise<Outcome> => {
    const event = events.get(toRef(key));
    const virtual = event && virtualPodOf(event, sides);
    if (event && virtual) await show(event, virtual, sides, signal);
    return settled;
  };
  return createController({ name: 'event-mirror', watches, reconcile, concurrency: 4 }, sides.physical);
}

function virtualPodOf({ involvedObject }: PhysicalEvent, sides: Sides): Pod | undefined {
  const { namespace, name = '', uid } = involvedObject;
  const physical = sides.informers.physical.pods.get({ namespace, name });
  const reference = physical && podBackReference(physical);
  if (!physical || !reference || (uid && uid !== physical.metadata.uid)) return undefined;
  const virtual = sides.informers.virtual.pods.get(reference);
  return virtual && standsFor(physical, virtual, sides) ? virtual : undefined;
}

/** The name follows from the event, so that a syncer that starts anew finds what it showed before. */
async function show(event: PhysicalEvent, virtual: Pod, sides: Sides, signal: AbortSignal): Promise<void> {
  const { client } = sides.virtual;
  const shown = toShown(event, virtual, sides.binding().name);
  const { namespace, name = '' } = shown.metadata;
  try {
    await client.create(eventKind, shown, { signal });
  } catch (error) {
    if (isNamespaceTerminating(error)) return;
    if (!isAlreadyExists(error)) throw error;
    const { count, lastTimestamp, message } = shown;
    const patch = { type: 'merge', body: { count, lastTimestamp, message } } as const;
    try {
      await client.patch(eventKind, { namespace, name }, patch, { signal });
    } catch (gone) {
      if (!isNotFound(gone)) throw gone;
    }
  }
}

function toShown(event: PhysicalEvent, virtual: Pod, bindingName: string): PhysicalEvent {
  const { namespace = '', name = '', uid = '' } = virtual.metadata;
  const { fieldPath } = event.involvedObject;
  const suffix = hashOf({ uid: event.metadata.uid, name: event.metadata.name, pod: uid }).slice(0, 16);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: `${name.slice(0, 236).replace(/[^a-z0-9]+$/, '')}.${suffix}` },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, ...(fieldPath && { fieldPath }) },
    type: event.type,
    reason: event.reason,
    message: event.message,
    count: event.count ?? event.series?.count ?? 1,
    firstTimestamp: event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '',
    lastTimestamp: toTimestamp(lastSeenMs(event)),
    source: event.source,
    reportingComponent: `kubeocean-syncer-${bindingName}`,
    reportingInstance: event.reportingComponent || event.source?.component || '',
  };
}

function lastSeenMs(event: PhysicalEvent): number {
  const { lastTimestamp, series, eventTime, metadata } = event;
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
