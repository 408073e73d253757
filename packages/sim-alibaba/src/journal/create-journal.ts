import { createJournal as createAnyJournal } from '@tributary/sim-kit';
import type { Journal as AnyJournal } from '@tributary/sim-kit';
import type { Fault } from '../faults/fault-rule.ts';
import type { Params } from '../rpc/params.ts';

export type JournalEntry = {
  readonly seq: number;
  /** When the call came in. */
  readonly time: string;
  readonly action: string;
  /** What was asked, with the ClientToken, without signatures and secrets. */
  readonly params: Params;
  /** 0: no answer reached the caller. */
  readonly status: number;
  /** The error's code; empty for a success. */
  readonly code: string;
  readonly durationMs: number;
  readonly requestId: string;
  /** Empty when the caller was not known. */
  readonly accessKeyId: string;
  readonly userAgent: string;
  readonly via: 'http' | 'in-process';
  readonly write: boolean;
  /** Whether the call changed the state, whatever its answer was. */
  readonly changed: boolean;
  /** Whether a ClientToken brought back an earlier answer. */
  readonly replayed: boolean;
  readonly faults: readonly Fault['kind'][];
};

export type JournalFilter = {
  readonly action?: string;
  readonly status?: number;
  readonly code?: string;
  readonly accessKeyId?: string;
  readonly write?: boolean;
  readonly changed?: boolean;
  /** Only calls after this one. */
  readonly afterSeq?: number;
};

export type Journal = AnyJournal<JournalEntry, JournalFilter> & {
  readonly countByAction: (filter?: JournalFilter) => Readonly<Record<string, number>>;
};

export function createJournal(): Journal {
  const journal = createAnyJournal<JournalEntry, JournalFilter>(isMatch);
  return {
    ...journal,
    countByAction: (filter) => {
      const counts: Record<string, number> = {};
      for (const { action } of journal.calls(filter)) counts[action] = (counts[action] ?? 0) + 1;
      return counts;
    },
  };
}

function isMatch({ afterSeq, ...wanted }: JournalFilter, entry: JournalEntry): boolean {
  if (afterSeq !== undefined && entry.seq <= afterSeq) return false;
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  return names.every((name) => wanted[name] === undefined || wanted[name] === entry[name]);
}
