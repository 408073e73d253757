import type { CloudflareClient, Credential } from '@tributary/cloudflare-api';
import type { Clock, EventRecorder, Informer, KubeClient, Log, Result } from '@tributary/runtime';
import type { CredentialsRef, SyncState } from '../l4-state/sync-state.ts';
import type { Writer } from './batch.ts';
import type { Breaker } from './breaker.ts';
import type { Crowd } from './crowd.ts';
import type { Place } from './gathering.ts';
import type { GiveWay } from './give-way.ts';
import type { Observer } from './observe.ts';
import type { StatusTrust } from './status-trust.ts';
import type { Call, ClusterReads } from './target.ts';
import type { Wish } from './wish.ts';
import { writeSecrets } from './write-secrets.ts';

/** What the work on one SyncState needs of the controller around it. */
export type Engine = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly informer: Informer<SyncState>;
  readonly crowd: Crowd;
  readonly observer: Observer;
  readonly writer: Writer;
  readonly breaker: Breaker;
  /** SyncStates that must be looked at even though they seem to be in order. */
  readonly verify: Set<string>;
  readonly giveWay: GiveWay;
  readonly trust: StatusTrust;
  /** An apply that lasts longer is shown as `Syncing`. */
  readonly intentThresholdMs: number;
  readonly credentialFor: (ref: CredentialsRef) => Promise<Result<Credential>>;
  readonly clientFor: (credential: Credential) => CloudflareClient;
  /** What is to be deleted in a scope, and all that the scope has: names of SyncStates. */
  readonly deletionsIn: (scope: string) => { readonly pending: readonly string[]; readonly present: readonly string[] };
  /** Whether a SyncState of that type, other than this one, holds the remote object with this id. */
  readonly heldByAnother: (state: SyncState, id: string) => boolean;
  readonly events: Pick<EventRecorder, 'record'> | undefined;
  readonly reads: ClusterReads;
};

/** The way to the provider for one SyncState. */
export type Session = {
  readonly api: CloudflareClient;
  readonly place: Place;
  readonly reads: ClusterReads;
  readonly keepSecret: Call['keepSecret'];
};

/** How often what a person has to mend is looked at without being told. */
export const askAgainMs = 60_000;

export async function openSession(engine: Engine, { state, scope }: Wish): Promise<Result<Session>> {
  const credential = await engine.credentialFor(state.spec.credentialsRef);
  if (!credential.ok) return credential;
  const api = engine.clientFor(credential.value);
  const place = { scope, group: `${scope}|${api.credentialId}` };
  const keepSecret: Call['keepSecret'] = async (wish) => writeSecrets([wish], state.metadata.name ?? '', engine.client);
  return { ok: true, value: { api, place, reads: engine.reads, keepSecret } };
}
