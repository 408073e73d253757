import { isCloudflareError } from '@tributary/cloudflare-api';
import type { Clock, Fence } from '@tributary/runtime';
import type { TargetKey } from '../l4-state/sync-state-name.ts';
import { toCall } from './cluster-reads.ts';
import type { CallParts } from './cluster-reads.ts';
import type { Crowd } from './crowd.ts';
import { createGathering } from './gathering.ts';
import type { GatheringOptions, Member, Place } from './gathering.ts';
import { landAll } from './land-all.ts';
import type { BatchChange, Target } from './target.ts';

/** Writes to the provider: changes of one scope that come in the same moment go in one call where the target can. */
export type Writer = {
  readonly write: (request: WriteRequest) => Promise<unknown>;
};

export type AnyChange = BatchChange<TargetKey, unknown, unknown>;

export type WriteRequest = CallParts & {
  readonly target: Target;
  readonly place: Place;
  readonly change: AnyChange;
  /** Called when the call that this change is part of leaves. */
  readonly onStart: () => void;
};

export type WriterDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly crowd: Pick<Crowd, 'writing'>;
  readonly fence: Pick<Fence, 'check'>;
};

/** How long the size of a batch is remembered: a zone changes its plan now and then. */
const limitMs = 60 * 60_000;

export function createWriter(options: GatheringOptions, deps: WriterDeps): Writer {
  const limits = new Map<string, { readonly limit: number; readonly until: number }>();
  const limitOf = async (place: Place, { target, change, ...parts }: WriteRequest): Promise<number> => {
    const known = limits.get(place.group);
    if (known && known.until > deps.clock.monotonic()) return known.limit;
    const limit = (await target.batch?.limit(change.key, toCall(parts))) ?? 1;
    limits.set(place.group, { limit, until: deps.clock.monotonic() + limitMs });
    return limit;
  };
  const { clock, crowd } = deps;
  const gatheringDeps = { clock, expected: crowd.writing };
  const gathering = createGathering<WriteRequest, unknown>(toQuick(options), gatheringDeps, (_group, members) => {
    void sendAll(members, limitOf, deps);
  });
  return {
    write: async (request) =>
      request.target.batch ? gathering.join(request.place, request) : writeOne(request, deps.fence),
  };
}

/** Who was seen together comes together; only what is recorded before a write keeps some of them back. */
function toQuick(options: GatheringOptions): GatheringOptions {
  return { ...options, crowdQuietMs: 0, crowdPatienceMs: 100, burstMaxMs: 2000 };
}

type Waiting = Member<WriteRequest, unknown>;

async function sendAll(
  members: readonly Waiting[],
  limitOf: (place: Place, request: WriteRequest) => Promise<number>,
  { fence }: Pick<WriterDeps, 'fence'>,
): Promise<void> {
  const [first] = members;
  if (!first) return;
  try {
    if (members.length === 1) {
      first.resolve(await writeOne(first.item, fence));
      return;
    }
    const limit = Math.max(1, await limitOf(first.item.place, first.item));
    for (let at = 0; at < members.length; at += limit) await sendChunk(members.slice(at, at + limit), fence);
  } catch (error) {
    // Those that were settled already do not hear it.
    for (const { reject } of members) reject(error);
  }
}

async function sendChunk(chunk: readonly Waiting[], fence: Pick<Fence, 'check'>): Promise<void> {
  for (const { item } of chunk) item.onStart();
  await landAll<Waiting, unknown>(chunk, {
    run: async (members) => {
      const [{ item: first } = { item: undefined }] = members;
      if (!first?.target.batch) return [];
      first.signal.throwIfAborted();
      fence.check();
      return first.target.batch.run(
        members.map(({ item }) => item.change),
        toCall(first),
      );
    },
    landed: (member, result) => member.resolve(result),
    failed: (member, error) => member.reject(error),
    blames: blamesContent,
    isFull: (error) => isCloudflareError(error, 'quota'),
  });
}

const contentClasses = [
  'validation',
  'already-exists',
  'conflict',
  'not-found',
  'in-use',
  'entitlement',
  'quota',
] as const;

/** Refusals that are about one of the members. After an unknown effect nothing may be sent again before a look. */
function blamesContent(error: unknown): boolean {
  return isCloudflareError(error, ...contentClasses) && error.effect === 'none';
}

async function writeOne(request: WriteRequest, fence: Pick<Fence, 'check'>): Promise<unknown> {
  const { target, change, signal, onStart } = request;
  const call = toCall(request);
  signal.throwIfAborted();
  onStart();
  fence.check();
  switch (change.do) {
    case 'create':
      return target.create?.run(change.wanted, change.key, call);
    case 'update':
      return target.update?.(change, call);
    case 'delete':
      return target.remove?.(change.observed, change.key, call);
    default:
      return change satisfies never;
  }
}
