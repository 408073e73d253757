import { createJournal as createAnyJournal } from '@tributary/sim-kit';
import type { Journal as AnyJournal } from '@tributary/sim-kit';
import type { Fault } from '../faults/fault-rule.ts';

export type JournalEntry = {
  readonly seq: number;
  /** When the call came in. */
  readonly time: string;
  readonly method: string;
  /** Below `/client/v4`. */
  readonly path: string;
  readonly query: string;
  /** Without secrets. */
  readonly body: unknown;
  /** 0: no answer reached the caller. */
  readonly status: number;
  readonly errorCodes: readonly number[];
  readonly durationMs: number;
  readonly family: string;
  /** Empty when the caller was not known. */
  readonly tokenId: string;
  readonly ray: string;
  /** Whether the call changed the state, whatever its answer was. */
  readonly changed: boolean;
  readonly faults: readonly Fault['kind'][];
};

export type JournalFilter = {
  readonly method?: string;
  /** The path begins with this. */
  readonly path?: string;
  readonly family?: string;
  readonly status?: number;
  readonly tokenId?: string;
  /** True: all but GET. */
  readonly write?: boolean;
  /** Only calls after this one. */
  readonly afterSeq?: number;
};

export type Journal = AnyJournal<JournalEntry, JournalFilter>;

export function createJournal(): Journal {
  return createAnyJournal<JournalEntry, JournalFilter>(isMatch);
}

function isMatch(filter: JournalFilter, entry: JournalEntry): boolean {
  return (
    (filter.method === undefined || filter.method === entry.method) &&
    (filter.path === undefined || entry.path.startsWith(filter.path)) &&
    (filter.family === undefined || filter.family === entry.family) &&
    (filter.status === undefined || filter.status === entry.status) &&
    (filter.tokenId === undefined || filter.tokenId === entry.tokenId) &&
    (filter.write === undefined || filter.write === (entry.method !== 'GET')) &&
    (filter.afterSeq === undefined || entry.seq > filter.afterSeq)
  );
}
