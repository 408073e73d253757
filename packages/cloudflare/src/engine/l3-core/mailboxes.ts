import type { Clock } from '@tributary/runtime';

/**
 * Collects what is posted under one name while the last batch of that name is still on its way, and hands it on in
 * one piece. The first post after a quiet time goes at once; while posts keep coming, one batch per interval.
 */
export type Mailboxes<T> = {
  /** Resolves or rejects with the batch that the item went in. */
  readonly post: (name: string, item: T) => Promise<void>;
};

type Mailbox<T> = { waiting: Letter<T>[]; busy: boolean; lastSentAt: number };
type Letter<T> = { readonly item: T; readonly settle: PromiseWithResolvers<void> };

export function createMailboxes<T>(
  { minIntervalMs }: { readonly minIntervalMs: number },
  clock: Pick<Clock, 'monotonic' | 'after'>,
  deliver: (name: string, items: readonly T[]) => Promise<void>,
): Mailboxes<T> {
  const mailboxes = new Map<string, Mailbox<T>>();

  const send = async (name: string, box: Mailbox<T>): Promise<void> => {
    const letters = box.waiting.splice(0);
    try {
      await deliver(
        name,
        letters.map(({ item }) => item),
      );
      for (const { settle } of letters) settle.resolve();
    } catch (error) {
      for (const { settle } of letters) settle.reject(error);
    }
    box.lastSentAt = clock.monotonic();
    box.busy = false;
    if (box.waiting.length > 0) schedule(name, box);
    else clock.after(minIntervalMs, () => forget(name, box));
  };

  const schedule = (name: string, box: Mailbox<T>): void => {
    if (box.busy) return;
    box.busy = true;
    const waitMs = box.lastSentAt + minIntervalMs - clock.monotonic();
    // A turn of the event loop lets all that one change has set off arrive before the first batch goes.
    if (waitMs <= 0) queueMicrotask(() => void send(name, box));
    else clock.after(waitMs, () => void send(name, box));
  };

  const forget = (name: string, box: Mailbox<T>): void => {
    if (!box.busy && box.waiting.length === 0 && mailboxes.get(name) === box) mailboxes.delete(name);
  };

  return {
    post: async (name, item) => {
      const box = mailboxes.get(name) ?? { waiting: [], busy: false, lastSentAt: Number.NEGATIVE_INFINITY };
      mailboxes.set(name, box);
      const settle = Promise.withResolvers<void>();
      box.waiting.push({ item, settle });
      schedule(name, box);
      return settle.promise;
    },
  };
}
