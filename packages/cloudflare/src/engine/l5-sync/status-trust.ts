import type { Wish } from './wish.ts';

/**
 * Whether the status of a SyncState still says what the provider has. A process that dies between a write to the provider
 * and the status leaves a status of the time before, and a wish that goes back to what it was would look as if it were met.
 */
export type StatusTrust = {
  readonly holds: (wish: Pick<Wish, 'state' | 'slices'>) => boolean;
  /** A write to the provider begins: until the status tells how it went, it says what was. */
  readonly writing: (name: string) => void;
  readonly told: (name: string) => void;
  readonly forget: (name: string) => void;
};

export function createStatusTrust(): StatusTrust {
  const seen = new Map<string, 'writing' | 'told'>();
  return {
    holds: (wish) => {
      const known = seen.get(wish.state.metadata.name ?? '');
      // Who comes new knows only this: from one wish to another one and back the spec is written twice.
      return known === undefined ? unseenChanges(wish) <= 1 : known === 'told';
    },
    writing: (name) => void seen.set(name, 'writing'),
    told: (name) => void seen.set(name, 'told'),
    forget: (name) => void seen.delete(name),
  };
}

function unseenChanges({ state, slices }: Pick<Wish, 'state' | 'slices'>): number {
  return [state, ...slices]
    .map(({ metadata, status }) => (metadata.generation ?? 0) - (status?.observedGeneration ?? 0))
    .reduce((sum, changes) => sum + changes, 0);
}
