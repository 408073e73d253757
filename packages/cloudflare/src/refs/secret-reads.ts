import { toKey } from '@tributary/runtime';
import type { Result, Runnable, Secret } from '@tributary/runtime';
import type { SecretReads } from '../engine/l2-controllers/tracked-refs.ts';
import { createWatchedSecrets } from './watched-secrets.ts';
import type { WatchedSecretsDeps } from './watched-secrets.ts';

/** How long until a Secret that could not be read is asked for again. */
const retryMs = 5000;

type Place = { readonly namespace: string; readonly name: string };

/**
 * Secrets for kinds, which cannot wait: what is not known yet is not ready, and whoever asked is woken when it is. Each
 * one is watched from the first question on.
 */
export function createSecretReads(deps: WatchedSecretsDeps): SecretReads & { readonly runnable: Runnable } {
  const listeners = new Set<(key: string) => void>();
  const known = new Map<string, { readonly place: Place; result: Result<Secret> }>();
  let running: AbortSignal | undefined;
  const secrets = createWatchedSecrets(deps, (key) => void refresh(key));

  async function refresh(key: string): Promise<void> {
    const entry = known.get(key);
    if (!entry || !running || running.aborted) return;
    entry.result = await secrets.get(entry.place);
    if (!entry.result.ok && entry.result.reason === 'NotReady') deps.clock.after(retryMs, () => void refresh(key));
    for (const listener of listeners) listener(key);
  }

  return {
    peek: ({ namespace, name }) => {
      const key = toKey({ namespace, name });
      const entry = known.get(key);
      if (entry) return entry.result;
      const result = { ok: false, reason: 'NotReady', message: `Secret ${key} has not been read yet` } as const;
      known.set(key, { place: { namespace, name }, result });
      void refresh(key);
      return result;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    runnable: {
      name: 'secret-reads',
      runs: 'always',
      run: async (signal) => {
        running = signal;
        const ended = secrets.run(signal);
        for (const key of known.keys()) void refresh(key);
        await ended;
      },
    },
  };
}
