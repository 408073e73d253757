import { OperatorError, toKey } from '@tributary/runtime';
import type { Kind, KubeObject, Result, Secret } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { Refs } from './contributor.ts';
import { kindName, topicOf } from './kind-stores.ts';
import type { KindStore, KindStores } from './kind-stores.ts';
import type { SyncStates } from './sync-states.ts';
import type { Reading } from './topics.ts';
import type { InstalledKinds } from './when-installed.ts';

export type RefsDeps = {
  readonly stores: Pick<KindStores, 'of'>;
  readonly syncStates: Pick<SyncStates, 'get' | 'using'>;
  readonly secrets?: SecretReads | undefined;
  readonly operatorNamespace: string;
  /** All are there when absent. */
  readonly installed?: Pick<InstalledKinds, 'has'> | undefined;
};

/** Single Secrets by name. */
export type SecretReads = {
  readonly peek: (ref: { readonly namespace: string; readonly name: string }) => Result<Secret>;
  /** Told the key of one that has become another, or has been read for the first time. Returns unsubscribe. */
  readonly onChange: (listener: (key: string) => void) => () => void;
};

/** The topic of one Secret. */
export function secretTopic(key: string): string {
  return `secret|${key}`;
}

/** The topic of whether a kind is there at all. */
export function installedTopic(name: string): string {
  return `installed|${name}`;
}

/** The topic of all SyncStates that use some credentials. */
export function credentialsTopic(name: string): string {
  return `credentials|${name}`;
}

/** The caches as a kind sees them. Whatever it reads is noted, also what is not there. */
export function createRefs(
  { stores, syncStates, secrets, operatorNamespace, installed }: RefsDeps,
  reading: Pick<Reading, 'note'>,
): Refs {
  const isThere = (kind: Kind<KubeObject>): boolean => {
    reading.note(installedTopic(kindName(kind)));
    const there = installed?.has(kind) ?? (installed ? undefined : true);
    if (there === undefined) throw incomplete(kind.kind);
    return there;
  };
  const syncState: Refs['syncState'] = (name) => {
    reading.note(topicOf(syncStateKind, name));
    return syncStates.get(name);
  };
  return {
    operatorNamespace,
    get: (kind, ref) => {
      reading.note(topicOf(kind, toKey(ref)));
      if (!isThere(kind)) return undefined;
      return complete(stores.of(kind), kind.kind).get(ref);
    },
    list: (kind, options) => {
      reading.note(topicOf(kind));
      if (!isThere(kind)) return [];
      return complete(stores.of(kind), kind.kind).list(options);
    },
    syncState,
    lookUp: (lookup) => syncState(lookup.syncState.name),
    secret: (ref) => {
      reading.note(secretTopic(toKey(ref)));
      return secrets?.peek(ref) ?? { ok: false, reason: 'NotReady', message: 'secrets are not watched' };
    },
    syncStatesUsing: (credentials) => {
      reading.note(credentialsTopic(credentials));
      return syncStates.using(credentials);
    },
  };
}

/** A cache that is not complete would show what is there as missing. */
function complete<S extends Pick<KindStore, 'hasSynced'>>(store: S, kind: string): S {
  if (store.hasSynced()) return store;
  throw incomplete(kind);
}

function incomplete(kind: string): OperatorError {
  return new OperatorError('refs/cache-incomplete', `the cache of ${kind} is not complete yet`, {
    kind: 'after',
    ms: 500,
  });
}
