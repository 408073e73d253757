import type { AnyObject } from '../../object.ts';
import type { Change } from '../informer.ts';
import type { HistoryEntry } from './scripted-history.ts';

export type ChainChecker = {
  readonly listener: (change: Change) => void;
  /** Everything that was wrong with what the listener got. */
  readonly faults: () => readonly string[];
  readonly changes: () => number;
};

/**
 * A listener that follows the life of every object: each change must begin where the one before it ended, no change
 * may go back in time, and nothing may be told that the server never had.
 */
export function createChainChecker(history: () => readonly HistoryEntry[]): ChainChecker {
  const last = new Map<string, AnyObject>();
  const latestVersion = new Map<string, number>();
  const faults: string[] = [];
  let known = 0;
  const versions = new Set<string>();
  let changes = 0;

  const check = (ok: boolean, what: string, change: Change): void => {
    if (!ok) faults.push(`${what}: ${change.type} ${nameOf(change.object)} ${versionOf(change.object)}`);
  };

  const checkVersion = (change: Change): void => {
    for (const entries = history(); known < entries.length; known += 1) {
      const entry = entries[known];
      if (entry) versions.add(`${nameOf(entry.object)}@${versionOf(entry.object)}`);
    }
    const name = nameOf(change.object);
    const version = Number(versionOf(change.object));
    check(versions.has(`${name}@${version}`), 'never on the server', change);
    const before = latestVersion.get(name) ?? 0;
    // A deletion that only a list told of has no version of its own.
    const forward = change.type === 'deleted' ? version >= before : version > before;
    check(forward, `back in time from ${before}`, change);
    latestVersion.set(name, version);
  };

  return {
    listener: (change) => {
      changes += 1;
      const name = nameOf(change.object);
      const before = last.get(name);
      check(change.old === before, 'not the old object of the chain', change);
      check((change.type === 'added') === (before === undefined), 'wrong type for the chain', change);
      const sameUid = change.type !== 'updated' || change.old.metadata.uid === change.object.metadata.uid;
      check(sameUid, 'updated to another object', change);
      checkVersion(change);
      if (change.type === 'deleted') last.delete(name);
      else last.set(name, change.object);
    },
    faults: () => faults,
    changes: () => changes,
  };
}

function nameOf({ metadata }: AnyObject): string {
  return metadata.name ?? '';
}

function versionOf({ metadata }: AnyObject): string {
  return metadata.resourceVersion ?? '';
}
