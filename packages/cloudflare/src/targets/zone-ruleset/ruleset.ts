import { canonicalJson } from '@tributary/runtime';
import type { ZoneRule } from './contract.ts';

/** A rule as the API shows it; what it says beyond these fields is kept as it is. */
export type RemoteRule = { readonly id: string; readonly ref: string; readonly description?: string } & {
  readonly [field: string]: unknown;
};

export type Ruleset = {
  readonly id: string;
  readonly description: string;
  readonly version: string;
  readonly lastUpdated: string;
  readonly rules: readonly RemoteRule[];
};

/** A rule of ours: `owner` is the source that wants it. */
export type WantedRule = { readonly owner: string; readonly rule: ZoneRule; readonly adopt?: true };

/** A place in the list as it shall be. */
export type Entry =
  | { readonly foreign: RemoteRule }
  | {
      readonly owner: string;
      readonly ref: string;
      /** The rule that it was until now; none for a new one. */
      readonly before: RemoteRule | undefined;
      readonly rule: ZoneRule;
    };

export type OurEntry = Exclude<Entry, { readonly foreign: RemoteRule }>;

export type WantedRuleset = {
  /** Absent: nobody has an opinion, or, once it has met what is there, nobody had one. */
  readonly description?: string;
  readonly rules: readonly WantedRule[];
  /** Once it has met what is there: the whole list, and the text of the whole. */
  readonly merged?: {
    readonly description: string;
    readonly entries: readonly Entry[];
    /** Refs that our authors have chosen and that rules of others have. */
    readonly taken: readonly string[];
  };
};

/** What `status.recorded` holds. */
export type RecordedRules = {
  readonly rules: readonly { readonly ref: string; readonly owner: string }[];
  /** The text that we gave the whole. */
  readonly description?: string;
};

export function isOurs(entry: Entry): entry is OurEntry {
  return !('foreign' in entry);
}

/**
 * What a rule says, apart from what it is called, in the one form that all ways to say it have. What we never say is not
 * looked at: logging, for one.
 */
export function textOf(rule: Readonly<Record<string, unknown>>): string {
  const { action, expression, description, enabled, action_parameters: parameters, ratelimit } = rule;
  return canonicalJson([
    text(action),
    text(expression).trim(),
    text(description),
    enabled !== false,
    meaningOf(parameters) ?? {},
    meaningOf(ratelimit) ?? {},
  ] as never);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Saying no and saying nothing are the same, but here: what is not cached, and what nobody has decided about. */
const meaningfulNo = new Set(['cache']);

function meaningOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => meaningOf(item) ?? {});
  if (value === null || (value === false && !meaningfulNo.has(name))) return undefined;
  if (typeof value !== 'object') return value;
  const fields = Object.entries(name === 'query_string' ? listsOf(value) : value).flatMap(([key, field]) => {
    const meaning = meaningOf(field, key);
    return meaning === undefined ? [] : [[key, meaning] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** Of a cache key: `{ list: [a] }` is shown as `[a]`, and `{ all: true }` as `['*']`. */
function listsOf(parts: object): object {
  return Object.fromEntries(
    Object.entries(parts as Readonly<Record<string, unknown>>).map(([name, part]) => {
      const { list, all } = (part ?? {}) as { readonly list?: unknown; readonly all?: unknown };
      return [name, all === true ? ['*'] : (list ?? (Array.isArray(part) ? part : undefined))];
    }),
  );
}
