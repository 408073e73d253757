/** When calls were sent, oldest first, as far back as the longest window reaches. */
export type SendLog = {
  readonly add: (atMs: number) => void;
  /** How many were sent after that moment. */
  readonly countAfter: (atMs: number) => number;
  /** When the `nth` call after that moment was sent, counted from 0. */
  readonly nthAfter: (atMs: number, nth: number) => number | undefined;
  readonly forgetUntil: (atMs: number) => void;
};

export function createSendLog(): SendLog {
  let times: number[] = [];
  /** The first index whose time is later. */
  const indexAfter = (atMs: number): number => {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] ?? 0) > atMs) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    add: (atMs) => void times.push(atMs),
    countAfter: (atMs) => times.length - indexAfter(atMs),
    nthAfter: (atMs, nth) => times[indexAfter(atMs) + nth],
    forgetUntil: (atMs) => {
      const index = indexAfter(atMs);
      // Moving the rest on every call would cost more than a few stale entries.
      if (index > 256) times = times.slice(index);
    },
  };
}
