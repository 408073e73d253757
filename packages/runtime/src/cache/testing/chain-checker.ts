import type { AnyObject } from '../../object.ts';
import type { Change } from '../informer.ts';
import type { HistoryEntry } from './scripted-history.ts';

export type ChainChecker = {
  readonly listener: (change: Change) => void;
  /** Everything that was wrong with what the listener got. */
  readonly faults: () => readonly string[];
  /** How many different versions it got. */
  readonly versions: () => number;
};

/**
 * A listener that follows the life of every object: each change must begin where the one before it ended, no change
 * may go back in time, and nothing may be told that the server never had.
 */
export function createChainChecker(
  history: () => readonly HistoryEntry[],
  before: ReadonlyMap<string | undefined, AnyObject> = new Map(),
): ChainChecker {
  const last = new Map<string | undefined, AnyObject>(before);
  const latestVersion = new Map<string, number>();
  const faults: string[] = [];
  const told = new Set<string>();

  const check = (ok: boolean, what: string, change: Change): void => {
    if (!ok) faults.push(`${what}: ${change.type} ${identify(change.object)}`);
  };

  const checkVersion = (change: Change): void => {
    const name = nameOf(change.object);
    const version = Number(versionOf(change.object));
    const latest = latestVersion.get(name) ?? 0;
    // A deletion that only a list told of has no version of its own.
    const forward = change.type === 'deleted' ? version >= latest : version > latest;
    check(forward, `back in time from ${latest}`, change);
    latestVersion.set(name, version);
    told.add(identify(change.object));
  };

  // Asked at the end, because the record of what happened may come in later than what the listener is told.
  const inventions = (): readonly string[] => {
    const real = new Set([...history().map(({ object }) => object), ...before.values()].map(identify));
    return [...told].filter((version) => !real.has(version)).map((version) => `never on the server: ${version}`);
  };

  return {
    listener: (change) => {
      const name = nameOf(change.object);
      const known = last.get(name);
      check(change.old === known, 'not the old object of the chain', change);
      check((change.type === 'added') === (known === undefined), 'wrong type for the chain', change);
      const sameUid = change.type !== 'updated' || change.old.metadata.uid === change.object.metadata.uid;
      check(sameUid, 'updated to another object', change);
      checkVersion(change);
      if (change.type === 'deleted') last.delete(name);
      else last.set(name, change.object);
    },
    faults: () => [...faults, ...inventions()],
    versions: () => told.size,
  };
}

function nameOf({ metadata }: AnyObject): string {
  return metadata.name ?? '';
}

function identify(object: AnyObject): string {
  return `${nameOf(object)}@${versionOf(object)}`;
}

function versionOf({ metadata }: AnyObject): string {
  return metadata.resourceVersion ?? '';
}
