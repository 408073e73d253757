import type { CrashPoint } from './sync-world.ts';

const moments: readonly CrashPoint[] = [
  { side: 'kubernetes', at: 'before', nth: 0 },
  { side: 'kubernetes', at: 'after', nth: 0 },
  { side: 'kubernetes', at: 'answer-lost', nth: 0 },
  { side: 'provider', at: 'before', nth: 0 },
  { side: 'provider', at: 'after', nth: 0 },
];

/** So many writes has no scenario: a run that never ends is a bug of its own. */
const mostWrites = 100;

/**
 * Plays a scenario once for every write it makes and every moment at it: the process dies there, another takes over.
 * `play` says whether its crash came; when it does not, all writes have had theirs. Returns the number of crashes.
 */
export async function crashEverywhere(play: (point: CrashPoint) => Promise<boolean>): Promise<number> {
  let crashes = 0;
  for (const moment of moments) {
    for (let nth = 0; await play({ ...moment, nth }); nth += 1) {
      crashes += 1;
      if (nth > mostWrites) throw new Error(`more than ${mostWrites} writes in one run`);
    }
  }
  return crashes;
}
