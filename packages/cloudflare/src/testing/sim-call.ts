import { createCloudflareClient } from '@tributary/cloudflare-api';
import { systemClock } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare, SimCloudflareOptions } from '@tributary/sim-cloudflare';
import type { Source, SourceRef } from '../engine/l4-state/source.ts';
import type { Call } from '../engine/l5-sync/target.ts';

export type SimCall = { readonly sim: SimCloudflare; readonly call: Call };

const keepSecret = async (): Promise<void> => undefined;

/** A simulator of its own, and what a target needs to call it. Every Secret holds `secrets`. */
export async function startSimCall(
  options: SimCloudflareOptions = {},
  secrets?: Readonly<Record<string, string>>,
): Promise<SimCall> {
  const sim = await startSimCloudflare({ listen: false, rateLimit: 'off', ...options });
  const api = createCloudflareClient(
    { credential: { kind: 'token', token: sim.token }, baseUrl: sim.url },
    { fetch: sim.fetch, clock: systemClock },
  );
  const reads = { now: systemClock.now, readSecret: async () => secrets, download: fetch };
  return { sim, call: { ...reads, keepSecret, api, signal: new AbortController().signal } };
}

export function sourceOf<C>(ref: SourceRef, config: C, more: Partial<Source<C>> = {}): Source<C> {
  return { ref, config, priority: 100, createdAt: '2026-01-01T00:00:00Z', ...more };
}

/** What `aggregate` says is wanted; throws its complaint. */
export function desiredOf<D>(
  aggregate: { readonly ok: true; readonly desired: D } | { readonly ok: false; readonly message: string },
): D {
  if (!aggregate.ok) throw new Error(aggregate.message);
  return aggregate.desired;
}
