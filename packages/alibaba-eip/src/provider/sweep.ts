import type { Observation, ObservedEip } from '../eip/observed-eip.ts';
import { clusterTag } from '../eip/owner-tags.ts';
import { chunksOf, maxIdsPerCall, maxPageSize } from './eip-calls.ts';
import type { EipCalls } from './eip-calls.ts';
import { observeIds } from './lookup-batch.ts';

export type SweepRequest = {
  readonly clusterId: string;
  readonly ids: ReadonlySet<string>;
  /** Was gone the last time: a list without it is proof enough. */
  readonly isGone: (id: string) => boolean;
  /** How many addresses the account has in the region, as far as is known. */
  readonly accountTotal: number | undefined;
  /** How many of them carried the mark the last time. */
  readonly markedTotal: number;
};

export type SweepResult = {
  readonly observations: ReadonlyMap<string, Observation>;
  /** All addresses with the mark of this cluster, whether somebody asked for them or not. */
  readonly marked: readonly ObservedEip[];
  readonly accountTotal: number | undefined;
};

/**
 * Looks at everything at the price of a few pages: first all that carry the mark of the cluster, 100 a call. What is
 * left (adopted and migrated addresses carry no mark) by whichever is cheaper, pages of the whole account or lists of
 * 50 ids; where the whole account is cheapest, it is all that is read. A page may skip entries when the set changes
 * meanwhile, so what is missing is asked for by its id.
 */
export async function sweep(request: SweepRequest, calls: EipCalls, signal?: AbortSignal): Promise<SweepResult> {
  const seen = new Map<string, ObservedEip>();
  const mark = { [clusterTag]: request.clusterId };
  const left = (): readonly string[] => [...request.ids].filter((id) => !seen.has(id));
  let { accountTotal } = request;
  if (!isAccountCheapest(request)) await readPages(calls, mark, seen, undefined, signal);
  const listCost = Math.ceil(left().length / maxIdsPerCall);
  if (listCost > 2 && pageCost(accountTotal ?? 0) <= listCost) {
    accountTotal = await readPages(calls, {}, seen, listCost, signal);
  }
  const observations = new Map<string, Observation>();
  for (const id of request.ids) {
    const eip = seen.get(id);
    if (eip) observations.set(id, { kind: 'seen', eip });
  }
  for (const ids of chunksOf(left(), maxIdsPerCall)) {
    for (const [id, observation] of await observeIds(ids, calls, request.isGone, signal)) {
      observations.set(id, observation);
    }
  }
  const marked = [...seen.values()].filter(({ tags }) => tags[clusterTag] === request.clusterId);
  return { observations, marked, accountTotal };
}

/** Pages of the whole account cost no more than those of the marked and lists of the others together. */
function isAccountCheapest({ accountTotal, markedTotal, ids }: SweepRequest): boolean {
  if (accountTotal === undefined) return false;
  const unmarkedCost = Math.ceil((ids.size - markedTotal) / maxIdsPerCall);
  return unmarkedCost > 2 && pageCost(accountTotal) <= Math.max(1, pageCost(markedTotal)) + unmarkedCost;
}

/** Returns how many there are. Gives up after the first page when all of them would cost more than `maxCost`. */
async function readPages(
  { describePage }: EipCalls,
  tags: Readonly<Record<string, string>>,
  seen: Map<string, ObservedEip>,
  maxCost: number | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let page = 1; ; page += 1) {
    const answer = await describePage({ page, tags }, signal);
    for (const eip of answer.eips) seen.set(eip.id, eip);
    const isLast = answer.eips.length === 0 || page >= pageCost(answer.total);
    if (isLast || (maxCost !== undefined && pageCost(answer.total) > maxCost)) return answer.total;
  }
}

function pageCost(total: number): number {
  return Math.ceil(total / maxPageSize);
}
