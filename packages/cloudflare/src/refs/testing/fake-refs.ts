import { apiVersionOf, secretKind, toKey } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import type { SyncState } from '../../engine/l4-state/sync-state.ts';

/** Caches that hold what is given. Objects are told apart by their apiVersion and kind. Lookups that are asked for are collected. */
export function fakeRefs(
  objects: readonly KubeObject[],
  syncStates: readonly SyncState[] = [],
  lookups: Contribution[] = [],
): Refs {
  const list = <T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly T[] =>
    objects.filter(
      (object): object is T =>
        object.kind === kind.kind &&
        object.apiVersion === apiVersionOf(kind) &&
        (namespace === undefined || object.metadata.namespace === namespace),
    );
  const syncState = (name: string): SyncState | undefined => syncStates.find(({ metadata }) => metadata.name === name);
  return {
    get: (kind, { namespace, name }) => list(kind, namespace).find(({ metadata }) => metadata.name === name),
    list: (kind, options) => list(kind, options?.namespace),
    syncState,
    lookUp: (lookup) => {
      lookups.push(lookup);
      return syncState(lookup.syncState.name);
    },
    secret: (ref) => {
      const found = list(secretKind, ref.namespace).find(({ metadata }) => metadata.name === ref.name);
      if (found) return { ok: true, value: found };
      return { ok: false, reason: 'NotFound', message: `Secret ${toKey(ref)} is not there` };
    },
    syncStatesUsing: () => [],
    operatorNamespace: 'cloudflare-operator-system',
  };
}
