import type { Priority } from '@tributary/cloudflare-api';
import type { Clock } from '@tributary/runtime';
import type { TargetKey } from '../l4-state/sync-state-name.ts';
import { toCall } from './cluster-reads.ts';
import type { CallParts } from './cluster-reads.ts';
import type { Crowd } from './crowd.ts';
import { createGathering } from './gathering.ts';
import type { GatheringOptions, Member, Place } from './gathering.ts';
import type { Target } from './target.ts';

/** Looks at the provider. Keys of one scope that ask in the same moment share one list. */
export type Observer = {
  readonly observe: (request: ObserveRequest) => Promise<readonly unknown[]>;
};

export type ObserveRequest = CallParts & {
  readonly target: Target;
  readonly place: Place;
  readonly key: TargetKey;
  readonly desired: unknown;
  readonly id: string | undefined;
  readonly remembered?: unknown;
  /** Called when the look that this is part of leaves. */
  readonly onStart: () => void;
};

/** From so many on, one list costs less than a lookup each. */
const listFrom = 3;

export function createObserver(
  options: GatheringOptions,
  { clock, crowd }: { readonly clock: Pick<Clock, 'monotonic' | 'after'>; readonly crowd: Pick<Crowd, 'looking'> },
): Observer {
  const deps = { clock, expected: crowd.looking };
  const gathering = createGathering<ObserveRequest, readonly unknown[]>(options, deps, (_group, members) => {
    for (const { item } of members) item.onStart();
    const [first] = members;
    if (members.length >= listFrom && first?.item.target.observe.list) void listFor(members, first.item);
    else for (const member of members) void lookUp(member);
  });
  return {
    observe: async (request) => {
      if (request.target.observe.list) return gathering.join(request.place, request);
      request.onStart();
      return lookUpOne(request);
    },
  };
}

type Asking = Member<ObserveRequest, readonly unknown[]>;

async function lookUp({ item, resolve, reject }: Asking): Promise<void> {
  try {
    resolve(await lookUpOne(item));
  } catch (error) {
    reject(error);
  }
}

async function lookUpOne({
  target,
  key,
  desired,
  id,
  remembered,
  onStart: _told,
  ...parts
}: ObserveRequest): Promise<readonly unknown[]> {
  return target.observe.lookup({ key, desired, id, remembered }, toCall(parts));
}

async function listFor(members: readonly Asking[], first: ObserveRequest): Promise<void> {
  const { target, key } = first;
  const priority = mostUrgent(members.map(({ item }) => item.priority));
  try {
    const all = await target.observe.list?.(key, toCall({ ...first, priority }));
    for (const { resolve } of members) resolve(all ?? []);
  } catch (error) {
    for (const { reject } of members) reject(error);
  }
}

/** The list is as urgent as the most urgent of those who wait for it. */
function mostUrgent(priorities: readonly Priority[]): Priority {
  return (['change', 'deletion', 'drift'] as const).find((one) => priorities.includes(one)) ?? 'change';
}
