import { sleep } from '@tributary/runtime';
import type { Clock } from '@tributary/runtime';
import type { VpcAction } from './vpc-send.ts';

/** Calls a minute, for the whole account; what is documented, or a cautious guess where nothing is. */
export type VpcLimits = Readonly<Record<VpcAction, number>>;

export const defaultLimits: VpcLimits = {
  AllocateEipAddress: 120,
  DescribeEipAddresses: 600,
  ReleaseEipAddress: 600,
  ModifyEipAddressAttribute: 300,
  AddCommonBandwidthPackageIp: 300,
  RemoveCommonBandwidthPackageIp: 300,
  TagResources: 300,
  UnTagResources: 300,
  MoveResourceGroup: 120,
};

export type Pace = {
  /** Resolves when the call may leave. First come, first served within an action. */
  readonly turn: (action: VpcAction, signal?: AbortSignal) => Promise<void>;
  /** The provider said that there were too many: nobody calls this action for so long. */
  readonly pause: (action: VpcAction, ms: number) => void;
};

/** A fifth at once, the rest spread over the minute: in no minute more calls leave than the provider allows. */
const burstShare = 0.2;

type Bucket = { readonly burst: number; readonly msPerCall: number; tokens: number; atMs: number; notBeforeMs: number };

/** One token bucket for each action. Others use the account too, so a pause on demand comes on top. */
export function createPace(limits: VpcLimits, clock: Pick<Clock, 'monotonic' | 'after'>): Pace {
  const buckets = new Map<VpcAction, Bucket>();
  const lines = new Map<VpcAction, Promise<void>>();
  const bucketOf = (action: VpcAction): Bucket => {
    let bucket = buckets.get(action);
    if (!bucket) buckets.set(action, (bucket = createBucket(limits[action], clock.monotonic())));
    return bucket;
  };

  const takeTurn = async (action: VpcAction, signal: AbortSignal | undefined): Promise<void> => {
    const bucket = bucketOf(action);
    for (let waitMs = waitFor(bucket, clock.monotonic()); waitMs > 0; waitMs = waitFor(bucket, clock.monotonic())) {
      await sleep(clock, waitMs, signal);
    }
    bucket.tokens -= 1;
  };

  return {
    turn: async (action, signal) => {
      const before = lines.get(action) ?? Promise.resolve();
      const mine = before.then(async () => takeTurn(action, signal));
      // Who gives up leaves the line to the next.
      lines.set(
        action,
        mine.catch(() => undefined),
      );
      return mine;
    },
    pause: (action, ms) => {
      const bucket = bucketOf(action);
      bucket.notBeforeMs = Math.max(bucket.notBeforeMs, clock.monotonic() + ms);
    },
  };
}

function createBucket(perMinute: number, nowMs: number): Bucket {
  const burst = Math.max(1, Math.floor(perMinute * burstShare));
  const msPerCall = 60_000 / Math.max(perMinute - burst, 0.5);
  return { burst, msPerCall, tokens: burst, atMs: nowMs, notBeforeMs: 0 };
}

/** Fills the bucket up to now and says how long the next call has to wait. */
function waitFor(bucket: Bucket, nowMs: number): number {
  bucket.tokens = Math.min(bucket.burst, bucket.tokens + (nowMs - bucket.atMs) / bucket.msPerCall);
  bucket.atMs = nowMs;
  const forToken = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) * bucket.msPerCall);
  return Math.max(forToken, bucket.notBeforeMs - nowMs);
}
