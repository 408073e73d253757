import { canonicalJson, getCondition } from '@tributary/runtime';
import type { Informer } from '@tributary/runtime';
import type { CredentialsRef, SyncState } from '../l4-state/sync-state.ts';
import type { RefusalReason } from './plan.ts';
import { giveUpOf } from './plan-input.ts';
import type { Target } from './target.ts';
import { scopeOf, toWish } from './wish.ts';

/** Of a further slice of a SyncState: the name of the first. */
export function baseOf({ metadata, spec }: SyncState): string | undefined {
  if (!spec.slice) return undefined;
  return metadata.name?.replace(/-s\d+$/u, '');
}

/** What layer 5 asks of the SyncStates in the cache. */
export type SyncIndexes = {
  readonly scopes: () => ReadonlySet<string>;
  readonly inScope: (scope: string) => readonly SyncState[];
  readonly scopesOf: (state: SyncState) => readonly string[];
  /** Those that were refused because of what somebody has at the provider. */
  readonly refusedIn: (scope: string) => readonly SyncState[];
  /** Names of those that have a generation that was not worked on yet. */
  readonly unseenIn: (scope: string) => readonly string[];
  readonly slicesOf: (name: string) => readonly SyncState[];
  readonly using: (ref: CredentialsRef) => readonly SyncState[];
  readonly heldByAnother: (state: SyncState, id: string) => boolean;
  readonly deletionsIn: (scope: string) => { readonly pending: readonly string[]; readonly present: readonly string[] };
};

export function createSyncIndexes(targets: ReadonlyMap<string, Target>, informer: Informer<SyncState>): SyncIndexes {
  const scopesOf = (state: SyncState): readonly string[] => {
    const target = targets.get(state.spec.resourceType);
    const { key } = state.spec;
    return target && key && baseOf(state) === undefined ? [scopeOf(target, key)] : [];
  };
  informer.addIndex('l5/scope', scopesOf);
  informer.addIndex('l5/slice-of', (state) => listOf(baseOf(state)));
  informer.addIndex('l5/credentials', ({ spec }) => [canonicalJson(spec.credentialsRef)]);
  informer.addIndex('l5/id', (state) => idsOf(state));
  informer.addIndex('l5/refused', (state) => (isInTheWay(state) ? scopesOf(state) : []));
  informer.addIndex('l5/unseen', (state) => (isUnseen(state) ? scopesOf(state) : []));
  // Counted once for all that ask between two changes.
  const deletions = new Map<string, ReturnType<SyncIndexes['deletionsIn']>>();
  informer.onChange(() => deletions.clear());
  const inScope = (scope: string): readonly SyncState[] => informer.byIndex('l5/scope', scope);
  return {
    scopes: () => new Set(informer.list().flatMap(scopesOf)),
    inScope,
    scopesOf,
    refusedIn: (scope) => informer.byIndex('l5/refused', scope),
    unseenIn: (scope) => informer.byIndex('l5/unseen', scope).map(nameOf),
    slicesOf: (name) =>
      informer.byIndex('l5/slice-of', name).toSorted((a, b) => (a.spec.slice ?? 0) - (b.spec.slice ?? 0)),
    using: (ref) => informer.byIndex('l5/credentials', canonicalJson(ref)),
    heldByAnother: ({ spec, metadata }, id) =>
      informer.byIndex('l5/id', `${spec.resourceType}|${id}`).some((other) => other.metadata.name !== metadata.name),
    deletionsIn: (scope) => {
      const known = deletions.get(scope);
      if (known) return known;
      const present = inScope(scope);
      const pending = present.filter((state) => isEnding(state, targets)).map(nameOf);
      const made = { pending, present: present.map(nameOf) };
      deletions.set(scope, made);
      return made;
    },
  };
}

function idsOf(state: SyncState): readonly string[] {
  const { spec, status } = state;
  // What is only looked up is not held.
  if (status?.cloudflareID === undefined || baseOf(state) !== undefined || spec.key?.['lookup']) return [];
  return [`${spec.resourceType}|${status.cloudflareID}`];
}

const refusals: readonly string[] = ['NotOwned', 'OwnedByOther', 'Blocked'] satisfies readonly RefusalReason[];

function isInTheWay({ status }: SyncState): boolean {
  return refusals.includes(getCondition(status?.conditions, 'Ready')?.reason ?? '');
}

function isUnseen({ metadata, status }: SyncState): boolean {
  return status?.observedGeneration !== metadata.generation;
}

function listOf(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name];
}

function nameOf({ metadata }: SyncState): string {
  return metadata.name ?? '';
}

/** Whether a remote object is going to be deleted for it. */
function isEnding(state: SyncState, targets: ReadonlyMap<string, Target>): boolean {
  const target = targets.get(state.spec.resourceType);
  if (!target || state.metadata.deletionTimestamp || state.status?.cloudflareID === undefined) return false;
  const wish = toWish(target, state, []);
  return wish.over && !wish.orphaned && giveUpOf(wish) === 'delete';
}
