import type { Clock } from '@tributary/runtime';

/**
 * Collects what several keys ask for at the same moment. Whoever is alone in its scope goes at once; a few go when all of
 * them have come, or after a short quiet. A crowd is waited for patiently, because its members arrive as fast as the API
 * server takes them and each further call costs more than the wait; while crowd follows crowd, the longest wait grows to
 * a limit, so that a burst of any length costs few calls.
 */
export type Gathering<T, R> = {
  readonly join: (place: Place, item: T) => Promise<R>;
};

/** Items of one group go together; the scope says who else may still come. */
export type Place = { readonly scope: string; readonly group: string };

export type GatheringOptions = {
  /** For a few: how long nobody may have come, and how long they wait at most. */
  readonly quietMs?: number;
  readonly maxMs?: number;
  /** From so many on, those that are still to come included, it is a crowd. */
  readonly crowdFrom?: number;
  /** For a crowd that seems complete, and for one that is known not to be. */
  readonly crowdQuietMs?: number;
  readonly crowdPatienceMs?: number;
  /** The longest wait of the first crowd, and of those that follow it without pause. */
  readonly crowdMaxMs?: number;
  readonly burstMaxMs?: number;
};

export type Member<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

type Group<T, R> = {
  readonly scope: string;
  readonly members: Member<T, R>[];
  readonly since: number;
  readonly crowdMaxMs: number;
  /** Follows another crowd closely. */
  readonly inBurst: boolean;
  lastAt: number;
  cancel: (() => void) | undefined;
};
type LastGo = { readonly at: number; readonly crowdMaxMs: number };

const growth = 3;
const defaults = {
  quietMs: 30,
  maxMs: 300,
  crowdFrom: 10,
  crowdQuietMs: 300,
  crowdPatienceMs: 700,
  crowdMaxMs: 2000,
  burstMaxMs: 9000,
};

export type GatheringDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** How many of a scope may join, those that have included. */
  readonly expected: (scope: string) => number;
};

export function createGathering<T, R>(
  options: GatheringOptions,
  { clock, expected }: GatheringDeps,
  /** Settles every member. */
  go: (group: string, members: readonly Member<T, R>[]) => void,
): Gathering<T, R> {
  const settings = { ...defaults, ...options };
  const groups = new Map<string, Group<T, R>>();
  const last = new Map<string, LastGo>();
  // Who was missing may have come by now, or has gone another way.
  const lookMs = Math.max(settings.quietMs, settings.crowdQuietMs);

  const open = (scope: string, name: string): Group<T, R> => {
    const now = clock.monotonic();
    const before = last.get(name);
    const crowdMaxMs = before ? Math.min(growth * before.crowdMaxMs, settings.burstMaxMs) : settings.crowdMaxMs;
    const group = { scope, members: [], since: now, lastAt: now, crowdMaxMs, inBurst: before !== undefined };
    const made: Group<T, R> = { ...group, cancel: undefined };
    groups.set(name, made);
    return made;
  };

  const send = (name: string, group: Group<T, R>): void => {
    groups.delete(name);
    if (group.members.length >= settings.crowdFrom) remember(name, group.crowdMaxMs);
    go(name, group.members);
  };

  const remember = (name: string, crowdMaxMs: number): void => {
    const mine: LastGo = { at: clock.monotonic(), crowdMaxMs };
    last.set(name, mine);
    clock.after(2 * settings.crowdMaxMs, () => {
      if (last.get(name) === mine) last.delete(name);
    });
  };

  const consider = (name: string, group: Group<T, R>): void => {
    group.cancel?.();
    group.cancel = undefined;
    const now = clock.monotonic();
    const leftMs = dueAt(group, expected(group.scope), settings) - now;
    if (leftMs <= 0) send(name, group);
    else group.cancel = clock.after(Math.min(leftMs, lookMs), () => consider(name, group));
  };

  return {
    join: async ({ scope, group: name }, item) => {
      const group = groups.get(name) ?? open(scope, name);
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      group.members.push({ item, resolve, reject });
      group.lastAt = clock.monotonic();
      // To count who else may come costs something: a crowd that waits already counts when its wait seems over.
      if (group.members.length < settings.crowdFrom || !group.cancel) consider(name, group);
      return promise;
    },
  };
}

type Timing = Pick<Group<unknown, unknown>, 'since' | 'lastAt' | 'crowdMaxMs' | 'inBurst'> & {
  readonly members: readonly unknown[];
};

/** When a group goes if nobody else comes. */
function dueAt(group: Timing, expected: number, settings: Required<GatheringOptions>): number {
  const { members, since, lastAt, crowdMaxMs, inBurst } = group;
  const isComplete = expected <= members.length;
  const isCrowd = inBurst || Math.max(expected, members.length) >= settings.crowdFrom;
  if (isCrowd) {
    // In a burst the last one to come is seldom the last.
    const quietMs = isComplete && !inBurst ? settings.crowdQuietMs : settings.crowdPatienceMs;
    return Math.min(lastAt + quietMs, since + crowdMaxMs);
  }
  return isComplete ? lastAt : Math.min(lastAt + settings.quietMs, since + settings.maxMs);
}
