import type { Clock } from '@tributary/runtime';
import type { Observation, ObservedEip } from '../eip/observed-eip.ts';
import { maxIdsPerCall } from './eip-calls.ts';
import type { EipCalls } from './eip-calls.ts';
import { isVpcError } from './vpc-error.ts';

/** Those who ask at about the same time are answered by one call. */
const gatherMs = 50;

type Waiting = { readonly resolve: (observation: Observation) => void; readonly reject: (error: unknown) => void };

/** Looks at single addresses, many in one call. */
export function createLookupBatch(
  calls: Pick<EipCalls, 'describeIds'>,
  clock: Pick<Clock, 'after'>,
): (id: string) => Promise<Observation> {
  let waiting = new Map<string, Waiting[]>();
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    const batch = waiting;
    waiting = new Map();
    cancel?.();
    cancel = undefined;
    const settle = (found: ReadonlyMap<string, Observation>): void => {
      for (const [id, all] of batch) for (const one of all) one.resolve(found.get(id) ?? { kind: 'absent' });
    };
    const fail = (error: unknown): void => {
      for (const all of batch.values()) for (const one of all) one.reject(error);
    };
    observeIds([...batch.keys()], calls).then(settle, fail);
  };

  return async (id) =>
    new Promise((resolve, reject) => {
      waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]);
      if (waiting.size >= maxIdsPerCall) flush();
      else cancel ??= clock.after(gatherMs, flush);
    });
}

/**
 * At most 50 ids. What is missing from the answer to several ids is asked for by itself before it counts as gone: not
 * every endpoint is documented to take a list.
 */
export async function observeIds(
  ids: readonly string[],
  { describeIds }: Pick<EipCalls, 'describeIds'>,
  isGoneAnyway: (id: string) => boolean = () => false,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Observation>> {
  const found = new Map<string, Observation>();
  const note = (eips: readonly ObservedEip[]): void => {
    for (const eip of eips) found.set(eip.id, { kind: 'seen', eip });
  };
  try {
    note(await describeIds(ids, signal));
  } catch (error) {
    if (ids.length === 1 || !isVpcError(error, 'terminal')) throw error;
  }
  for (const id of ids) {
    if (found.has(id)) continue;
    if (ids.length > 1 && !isGoneAnyway(id)) note(await describeIds([id], signal));
    if (!found.has(id)) found.set(id, { kind: 'absent' });
  }
  return found;
}
