import { createObjectCache, secretKind, toKey } from '@tributary/runtime';
import type { Connection, Informer, ObjectRef, Result, Secret } from '@tributary/runtime';
import { isDeepStrictEqual } from 'node:util';

export type WatchedSecretsDeps = Pick<Connection, 'client' | 'clock' | 'random'>;

export type WatchedSecrets = {
  /** From the first time that it is asked for, a Secret is watched. */
  readonly get: (ref: Required<ObjectRef> & { readonly namespace: string }) => Promise<Result<Secret>>;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** A Secret that cannot be read, for lack of a permission for example, must not keep its askers for ever. */
const longestWaitMs = 10_000;

type Entry = { readonly informer: Informer<Secret>; readonly ready: (signal: AbortSignal) => Promise<void> };

/**
 * Single Secrets by name, each with a cache of its own: an operator need not be allowed to see any other, and one that it
 * may not see stands in nobody's way.
 */
export function createWatchedSecrets(
  { client, clock, random }: WatchedSecretsDeps,
  onChange: (key: string) => void,
): WatchedSecrets {
  const entries = new Map<string, Entry>();
  let running: AbortSignal | undefined;

  const open = (namespace: string, name: string, signal: AbortSignal): Entry => {
    const cache = createObjectCache({ client, clock, random });
    const informer = cache.informer(secretKind, { namespace, fieldSelector: `metadata.name=${name}` });
    informer.onChange((change) => {
      if (change.initial) return;
      if (change.type === 'updated' && isDeepStrictEqual(change.object.data, change.old.data)) return;
      onChange(toKey({ namespace, name }));
    });
    cache.start(signal);
    return { informer, ready: cache.waitForSync };
  };

  return {
    get: async ({ namespace, name }) => {
      if (!running) return notReady(namespace, name, 'secrets are not watched yet');
      const key = toKey({ namespace, name });
      const entry = entries.get(key) ?? open(namespace, name, running);
      entries.set(key, entry);
      if (!entry.informer.hasSynced()) {
        const limit = new AbortController();
        const cancel = clock.after(longestWaitMs, () => limit.abort());
        const isReady = await entry.ready(limit.signal).then(
          () => true,
          () => false,
        );
        cancel();
        if (!isReady) return notReady(namespace, name, 'it cannot be read; may the operator see it?');
      }
      const secret = entry.informer.get({ namespace, name });
      if (secret) return { ok: true, value: secret };
      return { ok: false, reason: 'NotFound', message: `Secret ${key} is not there` };
    },
    run: async (signal) => {
      running = signal;
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      running = undefined;
      entries.clear();
    },
  };
}

function notReady(namespace: string, name: string, why: string): Result<never> {
  return { ok: false, reason: 'NotReady', message: `Secret ${namespace}/${name}: ${why}` };
}
