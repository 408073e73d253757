import { canonicalJson } from '@tributary/runtime';
import { readMark } from '../../engine/l4-state/ownership-mark.ts';
import type { SplitMode } from './contract.ts';
import { isSameEffect, placeOf } from './entry.ts';
import type { Entry } from './entry.ts';

type Entries = readonly Entry[];

export type ObservedProfile = {
  readonly id: string;
  readonly mode: SplitMode;
  /** The list of that mode. The other one does not exist. */
  readonly split: Entries;
  readonly fallback: Entries;
};

export type WantedProfile = {
  /** Absent: nobody wants anything of the split tunnel. */
  readonly mode?: SplitMode;
  /** Ours. */
  readonly split: Entries;
  readonly fallback: Entries;
  /** Of others, kept as they are. */
  readonly foreign?: { readonly split: Entries; readonly fallback: Entries };
  /** Of others, out of force for as long as ours are there, and put back after that. */
  readonly saved?: Saved;
};

type Saved = { readonly exclude?: Entries; readonly include?: Entries; readonly fallback?: Entries };

/** What is ours by its place, and what is kept for others. */
export type RecordedProfile = {
  readonly exclude?: readonly string[];
  readonly include?: readonly string[];
  readonly fallback?: readonly string[];
  readonly saved?: Saved;
};

/**
 * A profile's lists have many authors, and are replaced as a whole. Ours is what we recorded before we wrote it, or what
 * carries the mark of one who wants something now; all else is foreign and stays as it is.
 */
export function mergeProfile(
  desired: WantedProfile,
  observed: ObservedProfile,
  recorded: RecordedProfile = {},
): WantedProfile {
  const split = desired.mode ? wantedSplit(desired, desired.mode, observed, recorded) : restOfSplit(observed, recorded);
  const fallback = wantedFallback(desired, observed, recorded);
  return {
    mode: split.mode,
    split: split.ours,
    fallback: fallback.ours,
    foreign: { split: split.foreign, fallback: fallback.foreign },
    saved: { ...split.saved, fallback: fallback.saved },
  };
}

export function recordOf({ mode, split, fallback, saved }: WantedProfile): RecordedProfile {
  return {
    ...(mode && { [mode]: split.map(placeOf) }),
    fallback: fallback.map(placeOf),
    ...(saved && { saved }),
  };
}

export function withoutOurs(observed: ObservedProfile, recorded: RecordedProfile | undefined): WantedProfile {
  return mergeProfile({ split: [], fallback: [] }, observed, recorded);
}

type Split = { readonly mode: SplitMode; readonly ours: Entries; readonly foreign: Entries; readonly saved: Saved };

function wantedSplit(
  desired: WantedProfile,
  mode: SplitMode,
  observed: ObservedProfile,
  recorded: RecordedProfile,
): Split {
  const theirs = foreignOf(observed.split, desired.split, recorded[observed.mode]);
  const isSwitch = observed.mode !== mode;
  // Another mode does away with the list of this one. What was there before an earlier switch comes back.
  const before = recorded.saved?.[mode];
  const foreign = isSwitch ? (before ?? []) : theirs;
  const isWayBack = before !== undefined && theirs.length === 0;
  const left = isWayBack ? {} : { [observed.mode]: theirs };
  const saved = isSwitch ? left : keptOf(recorded, other(mode));
  return { mode, ours: missingIn(foreign, desired.split), foreign, saved };
}

/** When nobody wants anything of it: without ours, and in the mode in which it was before us. */
function restOfSplit(observed: ObservedProfile, recorded: RecordedProfile): Split {
  const { mode } = observed;
  const before = recorded.saved?.[other(mode)];
  const theirs = foreignOf(observed.split, [], recorded[mode]);
  const isOurMode = before !== undefined && theirs.length === 0;
  return isOurMode
    ? { mode: other(mode), ours: [], foreign: before, saved: {} }
    : { mode, ours: [], foreign: theirs, saved: keptOf(recorded, other(mode)) };
}

type Fallback = { readonly ours: Entries; readonly foreign: Entries; readonly saved: Entries };

function wantedFallback(desired: WantedProfile, observed: ObservedProfile, recorded: RecordedProfile): Fallback {
  const wanted = new Map(desired.fallback.map((entry) => [placeOf(entry), entry]));
  const theirs = foreignOf(observed.fallback, desired.fallback, recorded.fallback);
  const isCovered = (entry: Entry): boolean => {
    const mine = wanted.get(placeOf(entry));
    return mine !== undefined && !isSameEffect(mine, entry);
  };
  const standing = theirs.filter((entry) => !isCovered(entry));
  const before = missingIn(theirs, recorded.saved?.fallback ?? []);
  const back = before.filter((entry) => !wanted.has(placeOf(entry)));
  const foreign = [...standing, ...back];
  const saved = [...before.filter((entry) => wanted.has(placeOf(entry))), ...theirs.filter(isCovered)];
  return { ours: missingIn(foreign, desired.fallback), foreign, saved };
}

function foreignOf(shown: Entries, desired: Entries, ours: readonly string[] = []): Entries {
  const marks = new Set(desired.map(markOf));
  return shown.filter((entry) => !ours.includes(placeOf(entry)) && !marks.has(markOf(entry)));
}

function markOf({ description }: Entry): string {
  const mark = readMark(description);
  return mark ? canonicalJson(mark) : '';
}

/** What somebody has there already need not be there twice: theirs stays, and does what ours would do. */
function missingIn(there: Entries, wanted: Entries): Entries {
  const places = new Set(there.map(placeOf));
  return wanted.filter((entry) => !places.has(placeOf(entry)));
}

function keptOf({ saved }: RecordedProfile, mode: SplitMode): Saved {
  return saved?.[mode] ? { [mode]: saved[mode] } : {};
}

function other(mode: SplitMode): SplitMode {
  return mode === 'exclude' ? 'include' : 'exclude';
}
