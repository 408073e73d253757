import type { Clock } from '@tributary/runtime';

/** What was deleted of late, by scope. Kept in memory: a process that starts anew has deleted nothing yet. */
export type RecentDeletions = {
  readonly add: (scope: string, names: readonly string[]) => void;
  readonly in: (scope: string) => readonly string[];
};

export function createRecentDeletions(windowMs: number, clock: Pick<Clock, 'monotonic'>): RecentDeletions {
  const scopes = new Map<string, Map<string, number>>();
  return {
    add: (scope, names) => {
      const known = scopes.get(scope) ?? new Map<string, number>();
      for (const name of names) known.set(name, clock.monotonic());
      if (known.size > 0) scopes.set(scope, known);
    },
    in: (scope) => {
      const names = scopes.get(scope);
      if (!names) return [];
      for (const [name, at] of names) if (clock.monotonic() - at > windowMs) names.delete(name);
      if (names.size === 0) scopes.delete(scope);
      return [...names.keys()];
    },
  };
}
