import type { Clock } from '@tributary/runtime';

/**
 * Collects what is posted under one name while the last batch of that name is still on its way, and hands it on in
 * one piece. The first post after a quiet time goes at once; while posts keep coming, one batch per interval. The first
 * few intervals are shorter than layer 5 waits for quiet, so that a handful of changes is one change for it.
 */
export type Mailboxes<T> = {
  /** Resolves or rejects with the batch that the item went in. */
  readonly post: (name: string, item: T) => Promise<void>;
  /** Nothing is delivered any more; whoever waits is given the reason. */
  readonly close: (reason: Error) => void;
};

type Mailbox<T> = { waiting: Letter<T>[]; busy: boolean; lastSentAt: number; batches: number };
type Letter<T> = { readonly item: T; readonly settle: PromiseWithResolvers<void> };

const shortIntervals = 4;
const shortShare = 0.4;

export function createMailboxes<T>(
  { minIntervalMs }: { readonly minIntervalMs: number },
  clock: Pick<Clock, 'monotonic' | 'after'>,
  deliver: (name: string, items: readonly T[]) => Promise<void>,
): Mailboxes<T> {
  const mailboxes = new Map<string, Mailbox<T>>();
  let closed: Error | undefined;

  const send = async (name: string, box: Mailbox<T>): Promise<void> => {
    await handOver(box.waiting.splice(0), async (items) => {
      if (closed) throw closed;
      await deliver(name, items);
    });
    box.lastSentAt = clock.monotonic();
    box.batches += 1;
    box.busy = false;
    if (box.waiting.length > 0) schedule(name, box);
    else clock.after(minIntervalMs, () => forget(name, box));
  };

  const schedule = (name: string, box: Mailbox<T>): void => {
    if (box.busy) return;
    box.busy = true;
    const intervalMs = box.batches <= shortIntervals ? minIntervalMs * shortShare : minIntervalMs;
    const waitMs = box.lastSentAt + intervalMs - clock.monotonic();
    // A turn of the event loop lets all that one change has set off arrive before the first batch goes.
    if (waitMs <= 0) queueMicrotask(() => void send(name, box));
    else clock.after(waitMs, () => void send(name, box));
  };

  const forget = (name: string, box: Mailbox<T>): void => {
    if (!box.busy && box.waiting.length === 0 && mailboxes.get(name) === box) mailboxes.delete(name);
  };

  return {
    post: async (name, item) => {
      if (closed) throw closed;
      const box = mailboxes.get(name) ?? { waiting: [], busy: false, lastSentAt: -Infinity, batches: 0 };
      mailboxes.set(name, box);
      const settle = Promise.withResolvers<void>();
      box.waiting.push({ item, settle });
      schedule(name, box);
      return settle.promise;
    },
    close: (reason) => {
      closed = reason;
      for (const { waiting } of mailboxes.values()) {
        for (const { settle } of waiting.splice(0)) settle.reject(reason);
      }
    },
  };
}

async function handOver<T>(
  letters: readonly Letter<T>[],
  deliver: (items: readonly T[]) => Promise<void>,
): Promise<void> {
  try {
    await deliver(letters.map(({ item }) => item));
    for (const { settle } of letters) settle.resolve();
  } catch (error) {
    for (const { settle } of letters) settle.reject(error);
  }
}
