import type { Clock } from '../clock.ts';
import type { ObjectRef } from '../object.ts';
import { createLruMap } from './lru-map.ts';

/** What is to be told about an object. */
export type EventNote = {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
};

export type InvolvedObject = ObjectRef & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
};

/** One Event as it stands: it grows with every note that it stands for. */
export type EventEntry = {
  readonly key: string;
  readonly involved: InvolvedObject;
  readonly note: EventNote;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

export type CorrelatorOptions = {
  /** Objects, reasons and events that are remembered, each. */
  readonly maxEntries: number;
  /** So many different messages of one object and reason are told apart, what comes then is combined. */
  readonly maxSimilar: number;
  readonly similarWithinMs: number;
  /** So many events of one object at once, then one every `refillMs`. */
  readonly burst: number;
  readonly refillMs: number;
};

/** As client-go does it, so that a cluster sees from us what it sees from others. */
export const defaultCorrelation: CorrelatorOptions = {
  maxEntries: 4096,
  maxSimilar: 10,
  similarWithinMs: 600_000,
  burst: 25,
  refillMs: 300_000,
};

export type EventCorrelator = {
  /** The event that the note belongs to, with the note counted in; undefined when the object has used up its share. */
  readonly observe: (involved: InvolvedObject, note: EventNote) => EventEntry | undefined;
};

export function createEventCorrelator(
  options: CorrelatorOptions,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): EventCorrelator {
  const events = createLruMap<EventEntry>(options.maxEntries);
  const isTooSimilar = createSimilarity(options, clock);
  const takeToken = createShares(options, clock);
  return {
    observe: (involved, note) => {
      const { apiVersion, kind, namespace, name, uid } = involved;
      const object = JSON.stringify([apiVersion, kind, namespace, name, uid]);
      const group = JSON.stringify([object, note.type, note.reason]);
      const combined = isTooSimilar(group, note.message);
      if (!takeToken(object)) return undefined;
      const key = combined ? group : JSON.stringify([group, note.message]);
      const message = combined ? `(combined from similar events): ${note.message}` : note.message;
      const nowMs = clock.now();
      const known = events.get(key);
      const entry: EventEntry = {
        key,
        involved,
        note: { ...note, message },
        count: (known?.count ?? 0) + 1,
        firstMs: known?.firstMs ?? nowMs,
        lastMs: nowMs,
      };
      events.set(key, entry);
      return entry;
    },
  };
}

type Similar = { readonly messages: ReadonlySet<string>; readonly lastMs: number };

/** Whether a group of events has had so many different messages lately that they are told as one. */
function createSimilarity(
  { maxEntries, maxSimilar, similarWithinMs }: CorrelatorOptions,
  clock: Pick<Clock, 'monotonic'>,
): (group: string, message: string) => boolean {
  const groups = createLruMap<Similar>(maxEntries);
  return (group, message) => {
    const nowMs = clock.monotonic();
    const known = groups.get(group);
    const messages = known && nowMs - known.lastMs <= similarWithinMs ? known.messages : new Set<string>();
    // One more than is told apart is enough to know, so the set stays small whatever comes.
    const next = messages.size > maxSimilar ? messages : new Set([...messages, message]);
    groups.set(group, { messages: next, lastMs: nowMs });
    return next.size > maxSimilar;
  };
}

type Bucket = { readonly tokens: number; readonly atMs: number };

/** A token bucket for each object. */
function createShares(
  { maxEntries, burst, refillMs }: CorrelatorOptions,
  clock: Pick<Clock, 'monotonic'>,
): (object: string) => boolean {
  const buckets = createLruMap<Bucket>(maxEntries);
  return (object) => {
    const nowMs = clock.monotonic();
    const known = buckets.get(object) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, known.tokens + (nowMs - known.atMs) / refillMs);
    const allowed = tokens >= 1;
    buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    return allowed;
  };
}
