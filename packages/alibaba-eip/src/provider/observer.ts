import { isDeepStrictEqual } from 'node:util';
import { sleep } from '@tributary/runtime';
import type { Clock, Log, Runnable } from '@tributary/runtime';
import type { Observation, ObservedEip } from '../eip/observed-eip.ts';
import { clusterTag, uidTag } from '../eip/owner-tags.ts';
import type { EipCalls } from './eip-calls.ts';
import { createLookupBatch } from './lookup-batch.ts';
import { sweep } from './sweep.ts';
import type { SweepRequest, SweepResult } from './sweep.ts';

export type ObserverOptions = {
  readonly clusterId: string;
  readonly periodMs: number;
};

export type ObserverDeps = {
  readonly calls: EipCalls;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The ids of all addresses that objects have or ask for. */
  readonly wantedIds: () => ReadonlySet<string>;
  /** An object with this uid is there. */
  readonly isAlive: (uid: string) => boolean;
};

/** One pair of eyes for all objects: what the provider shows, looked at together and remembered. */
export type EipObserver = {
  /** Sweeps once a period while this process leads. */
  readonly runnable: Runnable;
  /** Resolves when a sweep has been completed; if there was none yet, by making one. */
  readonly ready: (signal?: AbortSignal) => Promise<void>;
  /** As last seen, if not longer ago than `maxAgeMs`. */
  readonly get: (id: string, maxAgeMs?: number) => Observation;
  /** Looks now. */
  readonly look: (id: string) => Promise<Observation>;
  /** Addresses that carried this uid in the last sweep. */
  readonly marked: (uid: string) => readonly ObservedEip[];
  /** Asks the provider for them now. */
  readonly findMarked: (uid: string, signal?: AbortSignal) => Promise<readonly ObservedEip[]>;
  /** Told of an address that a sweep found changed. Returns unsubscribe. */
  readonly onChange: (listener: (id: string) => void) => () => void;
};

type Entry = { readonly observation: Observation; readonly atMs: number };
type State = {
  entries: Map<string, Entry>;
  byUid: Map<string, readonly ObservedEip[]>;
  totals: Pick<SweepRequest, 'accountTotal' | 'markedTotal'>;
  swept: boolean;
  sweeping: Promise<void> | undefined;
  orphans: string;
};

const retryMs = 30_000;
/** By how much a period may be shorter or longer: processes that were started together must not stay in step. */
const jitter = 0.1;
const unknown: Observation = { kind: 'unknown' };

export function createEipObserver(options: ObserverOptions, deps: ObserverDeps): EipObserver {
  const { calls, clock } = deps;
  const state: State = {
    entries: new Map(),
    byUid: new Map(),
    totals: { accountTotal: undefined, markedTotal: 0 },
    swept: false,
    sweeping: undefined,
    orphans: '',
  };
  const listeners = new Set<(id: string) => void>();
  const lookup = createLookupBatch(calls, clock);

  const sweepOnce = async (signal?: AbortSignal): Promise<void> => {
    state.sweeping ??= runSweep(options, deps, state, listeners, signal).finally(() => {
      state.sweeping = undefined;
    });
    return state.sweeping;
  };
  return {
    runnable: {
      name: 'eip-observer',
      runs: 'leader',
      run: async (signal) => runSweeps(options, deps, sweepOnce, signal),
    },
    ready: async (signal) => {
      if (!state.swept) await sweepOnce(signal);
    },
    get: (id, maxAgeMs = Infinity) => {
      const entry = state.entries.get(id);
      return entry && clock.monotonic() - entry.atMs <= maxAgeMs ? entry.observation : unknown;
    },
    look: async (id) => {
      const observation = await lookup(id);
      state.entries.set(id, { observation, atMs: clock.monotonic() });
      return observation;
    },
    marked: (uid) => state.byUid.get(uid) ?? [],
    findMarked: async (uid, signal) =>
      (await calls.describePage({ page: 1, tags: { [clusterTag]: options.clusterId, [uidTag]: uid } }, signal)).eips,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function runSweeps(
  { periodMs }: ObserverOptions,
  { clock, random, log }: ObserverDeps,
  sweepOnce: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = periodMs * (1 - jitter + 2 * jitter * random());
    try {
      await sweepOnce(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'the addresses could not be observed');
      waitMs = Math.min(retryMs, periodMs);
    }
    try {
      await sleep(clock, waitMs, signal);
    } catch {
      return;
    }
  }
}

async function runSweep(
  { clusterId }: ObserverOptions,
  { calls, clock, wantedIds, isAlive, log }: ObserverDeps,
  state: State,
  listeners: ReadonlySet<(id: string) => void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const startedAt = clock.monotonic();
  const ids = wantedIds();
  const isGone = (id: string): boolean => state.entries.get(id)?.observation.kind === 'absent';
  const result = await sweep({ clusterId, ids, isGone, ...state.totals }, calls, signal);
  state.totals = { accountTotal: result.accountTotal, markedTotal: result.marked.length };
  state.byUid = groupByUid(result.marked);
  state.swept = true;
  tellOrphans(
    state,
    result.marked.filter(({ tags }) => !isAlive(tags[uidTag] ?? '')),
    log,
  );
  const changed = merge(state, result, startedAt);
  for (const id of changed) for (const listener of listeners) listener(id);
  log.debug({ addresses: result.observations.size, changed: changed.length }, 'the addresses were observed');
}

/** What was looked at while the sweep was under way is newer than the sweep. */
function merge(state: State, { observations }: SweepResult, startedAt: number): readonly string[] {
  const entries = new Map<string, Entry>();
  const changed: string[] = [];
  for (const [id, entry] of state.entries) if (entry.atMs >= startedAt) entries.set(id, entry);
  for (const [id, observation] of observations) {
    if (entries.has(id)) continue;
    const before = state.entries.get(id);
    const same = before !== undefined && isDeepStrictEqual(before.observation, observation);
    entries.set(id, { observation: same ? before.observation : observation, atMs: startedAt });
    if (before && !same) changed.push(id);
  }
  state.entries = entries;
  return changed;
}

/** They cost money and no object has them: kept on purpose (`Never`), or the work of somebody who forced a finalizer away. */
function tellOrphans(state: State, eips: readonly ObservedEip[], log: Log): void {
  const orphans = eips.map(({ id }) => id).toSorted();
  if (orphans.join() === state.orphans) return;
  state.orphans = orphans.join();
  log.info({ orphans }, 'addresses with the mark of this cluster that no object has');
}

function groupByUid(eips: readonly ObservedEip[]): Map<string, readonly ObservedEip[]> {
  const groups = new Map<string, ObservedEip[]>();
  for (const eip of eips) {
    const uid = eip.tags[uidTag] ?? '';
    const group = groups.get(uid);
    if (group) group.push(eip);
    else groups.set(uid, [eip]);
  }
  return groups;
}
