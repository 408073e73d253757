import type { Draft, StoredObject } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import type { ManagedFieldsEntry } from './managed-entries.ts';
import { entriesOf } from './managed-entries.ts';

/** The entries with the times of the old ones, when nothing but times would change. */
export function keepTimes(draft: Draft, old: StoredObject): void {
  const metadata = draft['metadata'] as Draft;
  const entries = metadata['managedFields'] as readonly ManagedFieldsEntry[] | undefined;
  const before = entriesOf(old);
  if (entries === undefined || before === undefined || entries === before || entries.length !== before.length) return;
  const same = entries.every((entry, index) => sameEntry(entry, before[index]));
  if (!same || !sameJson({ ...draft, metadata: { ...metadata, managedFields: before } }, old)) return;
  metadata['managedFields'] = before;
}

function sameEntry(a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined): boolean {
  return b !== undefined && sameJson({ ...a, time: undefined }, { ...b, time: undefined });
}
