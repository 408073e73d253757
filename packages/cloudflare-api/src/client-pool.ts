/** One client, and with it one budget, for each credential that is in use. */
import { createCloudflareClient } from './create-cloudflare-client.ts';
import type { CloudflareClient, CloudflareClientDeps, CloudflareClientOptions } from './create-cloudflare-client.ts';
import { credentialId } from './credential.ts';
import type { Credential } from './credential.ts';

export type ClientPoolOptions = Omit<CloudflareClientOptions, 'credential'> & {
  /** How long a client is kept that nobody asks for. Longer than the window of the budget, which is then forgotten. */
  readonly idleMs?: number;
};

export type ClientPool = {
  readonly clientFor: (credential: Credential) => CloudflareClient;
  /** How many clients are open. */
  readonly size: () => number;
  /** Closes all clients; those asked for later are new. */
  readonly close: () => void;
};

type Entry = { readonly client: CloudflareClient; usedAtMs: number };

export function createClientPool(
  { idleMs = 15 * 60_000, ...options }: ClientPoolOptions,
  deps: CloudflareClientDeps,
): ClientPool {
  const { clock } = deps;
  const entries = new Map<string, Entry>();
  let cancelSweep: (() => void) | undefined;

  const sweep = (): void => {
    for (const [id, entry] of entries) {
      if (isBusy(entry.client)) entry.usedAtMs = clock.monotonic();
      if (clock.monotonic() - entry.usedAtMs < idleMs) continue;
      entries.delete(id);
      entry.client.close();
    }
    book();
  };
  /** One timer, for the client that has been idle longest. */
  const book = (): void => {
    cancelSweep?.();
    if (entries.size === 0) return;
    const oldest = Math.min(...Array.from(entries.values(), ({ usedAtMs }) => usedAtMs));
    cancelSweep = clock.after(Math.max(0, oldest + idleMs - clock.monotonic()), sweep);
  };

  return {
    clientFor: (credential) => {
      const id = credentialId(credential);
      const known = entries.get(id);
      if (known) {
        known.usedAtMs = clock.monotonic();
        return known.client;
      }
      const client = createCloudflareClient({ ...options, credential }, deps);
      entries.set(id, { client, usedAtMs: clock.monotonic() });
      book();
      return client;
    },
    size: () => entries.size,
    close: () => {
      cancelSweep?.();
      for (const { client } of entries.values()) client.close();
      entries.clear();
    },
  };
}

/** A client that still has calls out, or a pause to sit through, must not be forgotten. */
function isBusy(client: CloudflareClient): boolean {
  const { inFlight, waiting, pausedForMs } = client.budget();
  return inFlight > 0 || pausedForMs > 0 || Object.values(waiting).some((count) => count > 0);
}
