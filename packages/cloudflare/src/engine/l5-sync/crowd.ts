/** Who is about in a scope at this moment, and how far: who is alone need not wait for others. */
export type Crowd = {
  readonly enter: (scope: string, name: string) => Presence;
  /** How many may still ask to be seen with others: those about to look, and those that have changed and were not begun. */
  readonly looking: (scope: string) => number;
  /** How many look at this moment or have looked, and may have something to write. */
  readonly writing: (scope: string) => number;
};

/** One key in work. It waits for its look, looks and decides, and then it is through with the provider, or its write is. */
export type Presence = {
  readonly looks: () => void;
  readonly isThrough: () => void;
  readonly leave: () => void;
};

type Stage = 'waits' | 'looks' | 'through';

/** `unseen` names those of a scope that have changed and were not worked on yet. */
export function createCrowd(unseen: (scope: string) => readonly string[]): Crowd {
  const scopes = new Map<string, Map<string, Stage>>();
  const countOf = (scope: string, stage: Stage): number => {
    let count = 0;
    for (const each of scopes.get(scope)?.values() ?? []) if (each === stage) count += 1;
    return count;
  };
  return {
    enter: (scope, name) => {
      const inside = scopes.get(scope) ?? new Map<string, Stage>();
      scopes.set(scope, inside);
      inside.set(name, 'waits');
      const move = (stage: Stage): void => {
        if (inside.has(name)) inside.set(name, stage);
      };
      return {
        looks: () => move('looks'),
        isThrough: () => move('through'),
        leave: () => {
          inside.delete(name);
          if (inside.size === 0 && scopes.get(scope) === inside) scopes.delete(scope);
        },
      };
    },
    looking: (scope) => {
      const inside = scopes.get(scope);
      const coming = unseen(scope).filter((name) => !inside?.has(name)).length;
      return countOf(scope, 'waits') + coming;
    },
    writing: (scope) => countOf(scope, 'looks'),
  };
}
