import { canonicalJson, hashOf } from '@tributary/runtime';
import { leaversOf } from '../l4-state/left-by.ts';
import { readMark } from '../l4-state/ownership-mark.ts';
import type { Mark } from '../l4-state/ownership-mark.ts';
import { compareSources, sourceId } from '../l4-state/source.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import type { TargetKey } from '../l4-state/sync-state-name.ts';
import type { SyncState } from '../l4-state/sync-state.ts';
import type { Claim } from './ownership.ts';
import type { Aggregate, Target } from './target.ts';

/** All that one SyncState, with its slices, asks for. Pure: read from the stored objects alone. */
export type Wish = {
  readonly target: Target;
  readonly state: SyncState;
  readonly slices: readonly SyncState[];
  readonly key: TargetKey;
  /** Names the scope among all types. */
  readonly scope: string;
  readonly sources: readonly Source[];
  /** Nobody wants it any more. */
  readonly over: boolean;
  /** Those who wanted it asked that it stay. */
  readonly orphaned: boolean;
  readonly claim: Claim;
};

export const abandonAnnotation = 'cloudflare-operator.io/abandon';

export function toWish(target: Target, state: SyncState, slices: readonly SyncState[]): Wish {
  const key = state.spec.key ?? {};
  const sources = [state, ...slices].flatMap(sourcesOf).toSorted(compareSources);
  const over = sources.every(({ orphaned }) => orphaned);
  return {
    target,
    state,
    slices,
    key,
    scope: scopeOf(target, key),
    sources,
    over,
    orphaned: over && (sources.length > 0 || state.metadata.annotations?.[abandonAnnotation] === 'true'),
    claim: { owners: ownersOf(state, sources), lastMark: lastMarkOf(target, state) },
  };
}

export function scopeOf(target: Target, key: TargetKey): string {
  return `${target.contract.type}|${target.scope(key)}`;
}

export function sourcesOf({ spec }: SyncState): readonly Source[] {
  return (spec.sources ?? []).map((source) => ({ ...source, createdAt: source.createdAt ?? '' }) as Source);
}

function ownersOf(state: SyncState, sources: readonly Source[]): readonly SourceRef[] {
  const leavers = leaversOf(state).flatMap((id) => {
    const [kind, second, third] = id.split('/');
    if (!kind || !second) return [];
    return [third ? { kind, namespace: second, name: third } : { kind, name: second }];
  });
  return [...sources.map(({ ref }) => ref), ...leavers];
}

function lastMarkOf({ shared }: Target, { status }: SyncState): Mark | undefined {
  return shared ? undefined : (status?.recorded as { readonly mark?: Mark } | undefined)?.mark;
}

type OwnRecord = { readonly mark?: Mark; readonly memory?: unknown };

/** What `status.recorded` holds of an object that is ours as a whole: the mark that it carries, and what it does not show. */
export function toOwnRecord(
  { markedText, memory }: Target,
  wanted: unknown,
  observed: unknown,
  recorded: unknown,
  now: number,
): OwnRecord | undefined {
  const mark = readMark(markedText?.(observed));
  const remembered = memory?.after(wanted, observed, rememberedOf(recorded), now);
  if (!mark && !remembered) return undefined;
  return { ...(mark && { mark }), ...(remembered && { memory: remembered }) };
}

/** The same before a write whose end may never be known; undefined where there is nothing to know. */
export function toRecordBefore(
  { shared, memory }: Target,
  wanted: unknown,
  fields: readonly string[],
  old: unknown,
): unknown {
  if (shared) return unite(old, shared.record(wanted));
  const next = memory?.before?.(wanted, fields);
  return next && { ...(old as OwnRecord | undefined), memory: unite(rememberedOf(old), next) };
}

/** What a target has asked to be remembered. */
export function rememberedOf(recorded: unknown): unknown {
  return (recorded as OwnRecord | undefined)?.memory;
}

/** What the sources want together. A stored source that does not fit its contract is told so, not passed on. */
export function aggregateOf({ target, sources, key }: Wish): Aggregate<unknown> {
  const read: Source<object>[] = [];
  for (const source of sources) {
    const parsed = target.contract.config.safeParse(source.config);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'not valid' };
      const where = ['config', ...path].join('.');
      return { ok: false, message: `${sourceId(source.ref)}: ${where}: ${message}`, ref: source.ref };
    }
    read.push({ ...source, config: parsed.data });
  }
  return target.aggregate(read, key);
}

export function asksToAdopt({ sources }: Wish): boolean {
  return sources.some(({ config }) => config['adopt'] === true);
}

export function configHash(desired: unknown): string {
  return `sha256:${hashOf(desired)}`;
}

/** What a refusal was about: wish, credentials, leave to adopt, and for whom. Another of them is worth another try. */
export function refusalHash(wish: Wish, desired: unknown): string {
  const owners = wish.sources.map(({ ref }) => sourceId(ref)).toSorted();
  return hashOf([desired, wish.state.spec.credentialsRef, asksToAdopt(wish), owners]);
}

/** Lists become one list without repetition, lists by name likewise name by name; else the newer value counts. */
export function unite(old: unknown, next: unknown): unknown {
  if (old === undefined) return next;
  if (Array.isArray(old) && Array.isArray(next)) {
    const all = new Map([...old, ...next].map((entry: unknown) => [canonicalJson(entry), entry]));
    return [...all.values()];
  }
  if (!isPlainObject(old) || !isPlainObject(next)) return next;
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return Object.fromEntries([...names].map((name) => [name, name in next ? unite(old[name], next[name]) : old[name]]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
