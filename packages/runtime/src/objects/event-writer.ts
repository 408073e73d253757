import { isAlreadyExists, isNotFound } from '../client/error-checks.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { defineKind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import { toTimestamp } from './condition.ts';
import { cutText } from './cut-text.ts';
import type { EventEntry } from './event-correlator.ts';
import { createLruMap } from './lru-map.ts';

/** core/v1 Event: the one that `kubectl describe` shows. */
export type Event = KubeObject & {
  readonly involvedObject: Readonly<Record<string, string>>;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string; readonly host: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
};

export const eventKind = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

export type EventSource = { readonly component: string; readonly instance: string };

export type EventWriterDeps = {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly random: () => number;
};

/** A message that is longer is refused by the server. */
const maxMessageBytes = 1024;
/** Names of objects may be 253 long, and the suffix takes 17. */
const maxNameBytes = 236;

const callTimeoutMs = 10_000;

type Made = { readonly name: string; readonly made: boolean };

/** Writes an event as it stands now: the first time as a new object, then as a patch of its count. */
export function createEventWriter(
  source: EventSource & { readonly maxEntries: number },
  { client, random }: EventWriterDeps,
): { readonly write: (entry: EventEntry) => Promise<void> } {
  const known = createLruMap<Made>(source.maxEntries);

  const create = async (entry: EventEntry, name: string): Promise<void> => {
    // Kept before it is sent: if the answer is lost, the next try meets its own event and not a second one.
    known.set(entry.key, { name, made: false });
    try {
      await client.create(eventKind, toEvent(entry, name, source), { timeoutMs: callTimeoutMs });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    known.set(entry.key, { name, made: true });
  };

  return {
    write: async (entry) => {
      const { name, made } = known.get(entry.key) ?? { name: eventName(entry, random), made: false };
      if (!made) return create(entry, name);
      const { count, lastTimestamp, message } = toEvent(entry, name, source);
      const patch = { type: 'merge', body: { count, lastTimestamp, message } } as const;
      try {
        await client.patch(eventKind, { namespace: namespaceOf(entry), name }, patch, { timeoutMs: callTimeoutMs });
      } catch (error) {
        // Events live an hour; one that is told again after that is made anew.
        if (!isNotFound(error)) throw error;
        await create(entry, eventName(entry, random));
      }
    },
  };
}

function toEvent(entry: EventEntry, name: string, { component, instance }: EventSource): Event {
  const { involved, note } = entry;
  const { namespace, uid, resourceVersion } = involved;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespaceOf(entry) },
    involvedObject: {
      apiVersion: involved.apiVersion,
      kind: involved.kind,
      name: involved.name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    },
    type: note.type,
    reason: note.reason,
    message: cutText(note.message, maxMessageBytes),
    count: entry.count,
    firstTimestamp: toTimestamp(entry.firstMs),
    lastTimestamp: toTimestamp(entry.lastMs),
    source: { component, host: instance },
    reportingComponent: component,
    reportingInstance: cutText(instance, 128),
  };
}

function namespaceOf({ involved }: EventEntry): string {
  return involved.namespace || 'default';
}

/** Time and chance: two replicas that tell the same at once must not meet in one name. */
function eventName({ involved, lastMs }: EventEntry, random: () => number): string {
  return `${cutText(involved.name, maxNameBytes)}.${toHex(lastMs, 11)}${toHex(random() * 16 ** 5, 5)}`;
}

function toHex(value: number, digits: number): string {
  return Math.floor(value).toString(16).padStart(digits, '0').slice(-digits);
}
