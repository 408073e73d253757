/**
 * Lands as many of some changes as the provider takes, when it takes a call as a whole or not at all. A refused call is
 * halved until the bad member stands alone; the halves that were not looked into wait and go together. So
 * one bad member among n costs about log2 n + 3 calls, and each further one as many again. When there is no room for
 * more, what fits lands, and the others are not tried one by one.
 */
export type Landing<T, R> = {
  readonly run: (members: readonly T[]) => Promise<readonly R[]>;
  readonly landed: (member: T, result: R) => void;
  readonly failed: (member: T, error: unknown) => void;
  /** Whether the refusal is about what was sent, so that sending less may help. */
  readonly blames: (error: unknown) => boolean;
  /** Whether the refusal says that there is no room for more, which most likely holds for all others too. */
  readonly isFull?: (error: unknown) => boolean;
};

export async function landAll<T, R>(all: readonly T[], landing: Landing<T, R>): Promise<void> {
  let suspects = all;
  try {
    while (suspects.length > 0) {
      const { waiting, refusal } = await round(suspects, landing);
      suspects = landing.isFull?.(refusal) ? await unlessFull(waiting, landing) : waiting;
    }
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error;
    for (const member of error.left as readonly T[]) landing.failed(member, error.cause);
  }
}

/** Not about what was sent: all that is left fails with it. */
class GaveUp extends Error {
  readonly left: readonly unknown[];
  constructor(left: readonly unknown[], cause: unknown) {
    super('the provider refuses for another reason', { cause });
    this.name = 'GaveUp';
    this.left = left;
  }
}

/** One was refused for want of room. If the next one is too, alone, so are all others; else its refusal was its own. */
async function unlessFull<T, R>(waiting: readonly T[], landing: Landing<T, R>): Promise<readonly T[]> {
  const [next, ...rest] = waiting;
  if (next === undefined) return [];
  const answer = await attempt([next], rest, landing);
  if (answer === landedWhole) return rest;
  const failed = landing.isFull?.(answer) ? waiting : [next];
  for (const member of failed) landing.failed(member, answer);
  return failed === waiting ? [] : rest;
}

type Round<T> = {
  /** Those whose turn is still to come. */
  readonly waiting: readonly T[];
  /** What the bad one was told. */
  readonly refusal?: unknown;
};

/** Tries all; on refusal finds one bad member. */
async function round<T, R>(suspects: readonly T[], landing: Landing<T, R>): Promise<Round<T>> {
  let waiting: readonly T[] = [];
  let error = await attempt(suspects, [], landing);
  if (error === landedWhole) return { waiting };
  let bad = suspects;
  while (bad.length > 1) {
    const middle = bad.length >>> 1;
    const [first, second] = [bad.slice(0, middle), bad.slice(middle)];
    const answer = await attempt(first, [...second, ...waiting], landing);
    if (answer === landedWhole) {
      // The fault is in the second half, which is not tried as a whole; alone it is, to hear what is wrong with it.
      bad = second;
      if (second.length === 1) error = await attempt(second, waiting, landing);
    } else {
      bad = first;
      waiting = [...second, ...waiting];
      error = answer;
    }
  }
  for (const member of bad) if (error !== landedWhole) landing.failed(member, error);
  return { waiting, refusal: error };
}

const landedWhole = Symbol('landed');

async function attempt<T, R>(members: readonly T[], others: readonly T[], landing: Landing<T, R>): Promise<unknown> {
  try {
    const results = await landing.run(members);
    members.forEach((member, index) => landing.landed(member, results[index] as R));
    return landedWhole;
  } catch (error) {
    if (!landing.blames(error)) throw new GaveUp([...members, ...others], error);
    return error;
  }
}
