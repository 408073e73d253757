import type { Clock } from '@tributary/runtime/clock';
import { createTimetable } from './create-timetable.ts';
import type { Aspect, BandwidthPackage, Eip, Tags } from './eip.ts';

export type Estate = {
  readonly eip: (allocationId: string) => Eip | undefined;
  /** In the order in which they were allocated. */
  readonly eips: () => readonly Eip[];
  readonly putEip: (eip: Eip) => void;
  readonly setTags: (eip: Eip, tags: Tags) => void;
  readonly package: (id: string) => BandwidthPackage | undefined;
  readonly packages: () => readonly BandwidthPackage[];
  readonly putPackage: (bandwidthPackage: BandwidthPackage) => void;
  readonly removePackage: (id: string) => void;
  readonly transit: (aspect: Aspect, transition: Transition) => void;
  /** Grows with every change by a caller; what time does by itself does not count. */
  readonly revision: () => number;
  readonly nowMs: () => number;
  readonly clear: () => void;
};

/** The address as it is from now on, and what becomes of it, unless something else changes the same aspect before. */
export type Transition = {
  readonly now: Eip;
  readonly afterMs: number;
  /** `undefined`: it is gone. */
  readonly becomes: (eip: Eip) => Eip | undefined;
};

/** Older tags than these can no longer be asked for. */
const tagStatesKept = 50;

/** What the provider holds. */
export function createEstate(clock: Pick<Clock, 'monotonic'>): Estate {
  const eips = new Map<string, Eip>();
  const packages = new Map<string, BandwidthPackage>();
  const timetable = createTimetable(clock);
  let revision = 0;
  let lastTask = 0;

  const change = (write: () => void): void => {
    revision += 1;
    write();
  };
  const putEip = (eip: Eip): void => change(() => eips.set(eip.allocationId, eip));
  const transit = (aspect: Aspect, { now, afterMs, becomes }: Transition): void => {
    lastTask += 1;
    const task = lastTask;
    putEip({ ...now, tasks: { ...now.tasks, [aspect]: task } });
    timetable.book(afterMs, () => {
      const eip = eips.get(now.allocationId);
      if (eip?.tasks[aspect] === task) store(eips, now.allocationId, becomes(eip));
    });
    timetable.catchUp();
  };
  const settled = <Result>(read: () => Result): Result => {
    timetable.catchUp();
    return read();
  };

  return {
    eip: (id) => settled(() => eips.get(id)),
    eips: () => settled(() => [...eips.values()]),
    putEip,
    setTags: (eip, tags) => {
      const history = [...eip.tagHistory, { sinceMs: clock.monotonic(), tags }];
      putEip({ ...eip, tags, tagHistory: history.slice(-tagStatesKept) });
    },
    package: (id) => packages.get(id),
    packages: () => [...packages.values()],
    putPackage: (held) => change(() => packages.set(held.bandwidthPackageId, held)),
    removePackage: (id) => change(() => packages.delete(id)),
    transit,
    revision: () => revision,
    nowMs: () => clock.monotonic(),
    clear: () => [eips, packages, timetable].forEach((part) => part.clear()),
  };
}

function store(eips: Map<string, Eip>, id: string, eip: Eip | undefined): void {
  if (eip) eips.set(id, eip);
  else eips.delete(id);
}
