import type { Clock } from '@tributary/runtime/clock';
import { refusal } from '../rpc/rpc-error.ts';

/** A date may be wrong by so much, either way. */
export const dateToleranceMs = 15 * 60_000;

export type NonceMemory = { readonly use: (accessKeyId: string, nonce: string) => void; readonly clear: () => void };

/** Every signature is good once. A nonce is kept for as long as its date may pass for fresh. */
export function createNonceMemory(clock: Pick<Clock, 'monotonic'>): NonceMemory {
  const used = new Map<string, number>();
  return {
    use: (accessKeyId, nonce) => {
      const nowMs = clock.monotonic();
      // A map keeps the order of insertion, so the oldest stand in front.
      for (const [key, atMs] of used) {
        if (nowMs - atMs <= 2 * dateToleranceMs) break;
        used.delete(key);
      }
      const key = `${accessKeyId} ${nonce}`;
      if (used.has(key)) throw refusal('SignatureNonceUsed', 'Specified signature nonce was used already.');
      used.set(key, nowMs);
    },
    clear: () => used.clear(),
  };
}
