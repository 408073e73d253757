import type { KubeClient } from '../client/kube-client.ts';
import type { Clock } from '../clock.ts';
import { apiVersionOf } from '../kind.ts';
import type { Kind } from '../kind.ts';
import type { Log } from '../log.ts';
import type { KubeObject } from '../object.ts';
import { createEventCorrelator, defaultCorrelation } from './event-correlator.ts';
import type { CorrelatorOptions, EventNote, InvolvedObject } from './event-correlator.ts';
import { createEventOutbox } from './event-outbox.ts';
import type { OutboxOptions } from './event-outbox.ts';
import { createEventWriter } from './event-writer.ts';
import type { EventSource } from './event-writer.ts';

export type EventRecorderOptions = EventSource & Partial<CorrelatorOptions & OutboxOptions>;

export type EventRecorderDeps = {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
};

/** Tells people about an object. Whatever goes wrong with that is logged and never reaches the caller. */
export type EventRecorder = {
  readonly record: (kind: Pick<Kind, 'group' | 'version' | 'kind'>, object: KubeObject, note: EventNote) => void;
  /** Resolves when everything that was recorded so far is written or given up. */
  readonly flush: () => Promise<void>;
  /** Tries once more to write what waits, and takes nothing after that. */
  readonly stop: () => Promise<void>;
};

const defaults = { ...defaultCorrelation, maxPending: 1000, maxTries: 5, retryMs: 10_000 };

export function createEventRecorder(options: EventRecorderOptions, deps: EventRecorderDeps): EventRecorder {
  const settings = { ...defaults, ...options };
  const correlator = createEventCorrelator(settings, deps.clock);
  const { write } = createEventWriter(settings, deps);
  const outbox = createEventOutbox(settings, { ...deps, write });
  return {
    record: (kind, object, note) => {
      try {
        const entry = correlator.observe(toInvolved(kind, object), note);
        if (entry) outbox.put(entry);
      } catch (error) {
        deps.log.warn({ err: error }, 'an event could not be recorded');
      }
    },
    flush: outbox.flush,
    stop: outbox.stop,
  };
}

function toInvolved(kind: Pick<Kind, 'group' | 'version' | 'kind'>, { metadata }: KubeObject): InvolvedObject {
  const { name = '', namespace, uid, resourceVersion } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, namespace, uid, resourceVersion };
}
