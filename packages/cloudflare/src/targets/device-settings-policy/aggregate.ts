import type { Loser } from '../../engine/l4-state/loser.ts';
import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import type { Source, SourceRef } from '../../engine/l4-state/source.ts';
import type { Aggregate } from '../../engine/l5-sync/target.ts';
import { longestDescription } from './contract.ts';
import type { DeviceSettingsPolicyConfig } from './contract.ts';
import { isSameEffect, placeOf } from './entry.ts';
import type { Entry } from './entry.ts';
import type { WantedProfile } from './foreign-entries.ts';

type Policy = Source<DeviceSettingsPolicyConfig>;
type Owned = { readonly ref: SourceRef; readonly entry: Entry };

/** The entries of all sources, each with its owner's mark. What several want belongs to the first of them. */
export function aggregateProfile(sources: readonly Policy[]): Aggregate<WantedProfile> {
  const leader = sources.find(({ config }) => config.mode !== undefined);
  const mode = leader?.config.mode;
  const split = firstOfEach(sources.flatMap(({ ref, config }) => owned(ref, mode && config[mode])));
  const fallback = firstOfEach(sources.flatMap(({ ref, config }) => owned(ref, config.fallback)));
  const tooLong = [...split.first, ...fallback.first].find(({ ref, entry }) => markedEntry(ref, entry) === undefined);
  if (tooLong) {
    const message = `the description of ${placeOf(tooLong.entry)} is too long: with our mark it must fit into ${longestDescription}`;
    return { ok: false, message, ref: tooLong.ref };
  }
  return {
    ok: true,
    desired: {
      ...(mode && { mode }),
      split: split.first.flatMap(toMarked),
      fallback: fallback.first.flatMap(toMarked),
    },
    losers: [...(leader ? otherModes(sources, leader) : []), ...fallback.losers],
  };
}

function owned(ref: SourceRef, entries: readonly unknown[] = []): readonly Owned[] {
  return (entries as readonly Entry[]).map((entry) => ({ ref, entry }));
}

function toMarked({ ref, entry }: Owned): readonly Entry[] {
  return markedEntry(ref, entry) ?? [];
}

function markedEntry(ref: SourceRef, entry: Entry): readonly Entry[] | undefined {
  const marked = withMark(entry.description ?? '', ref, longestDescription);
  return marked.ok ? [{ ...entry, description: marked.text }] : undefined;
}

function firstOfEach(all: readonly Owned[]): { readonly first: readonly Owned[]; readonly losers: readonly Loser[] } {
  const byPlace = new Map<string, Owned>();
  const losers: Loser[] = [];
  for (const each of all) {
    const place = placeOf(each.entry);
    const winner = byPlace.get(place);
    if (!winner) byPlace.set(place, each);
    else if (!isSameEffect(winner.entry, each.entry)) {
      const reason = `${sourceId(winner.ref)} has other DNS servers for it and comes before it`;
      losers.push({ ref: each.ref, what: `fallback domain ${place}`, winner: winner.ref, reason });
    }
  }
  return { first: [...byPlace.values()], losers };
}

/** A profile has one mode, and only the list of that mode. */
function otherModes(sources: readonly Policy[], { ref: winner, config: { mode } }: Policy): readonly Loser[] {
  return sources
    .filter(({ config }) => config.mode !== undefined && config.mode !== mode)
    .map(({ ref }) => ({
      ref,
      what: 'splitTunnelMode',
      winner,
      reason: `${sourceId(winner)} has the profile in ${mode ?? ''} mode and comes before it`,
    }));
}
