import type { KubeClient } from '../../client/kube-client.ts';
import { systemClock } from '../../clock.ts';
import { ledgers } from './ledger.ts';

/** One write to the ledger, as the API server tells it, in its order. */
export type LedgerWrite = {
  readonly by: string;
  readonly term: number;
  /** Wall time at which the replica made the entry. */
  readonly madeAt: number;
  /** Monotonic time at which the test heard of it. */
  readonly seenAt: number;
};

export type WriteHistory = {
  readonly writes: readonly LedgerWrite[];
  /** Resolves with the first write from now on for which it holds; rejects after the limit. */
  readonly next: (matches: (write: LedgerWrite) => boolean, limitMs: number) => Promise<LedgerWrite>;
  readonly close: () => Promise<void>;
};

/** Makes the ledger and follows every version of it. */
export async function followLedger(kube: KubeClient, namespace: string): Promise<WriteHistory> {
  const made = await kube.create(ledgers, { metadata: { namespace, name: 'ledger' }, data: {} });
  const log = createWriteLog();
  const stop = new AbortController();
  let last = made;
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const { resourceVersion } = last.metadata;
      const selector = { namespace, fieldSelector: 'metadata.name=ledger', resourceVersion, signal: stop.signal };
      await kube.watch(ledgers, selector, (event) => {
        if (event.type === 'ERROR') throw new Error(`the history is broken: ${event.object.message}`);
        log.compare(last.data ?? {}, event.object.data ?? {});
        last = event.object;
      });
    }
  };
  const followed = follow().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const close = async (): Promise<void> => {
    stop.abort();
    await followed;
  };
  return { writes: log.writes, next: log.next, close };
}

type Data = Readonly<Record<string, string>>;

function createWriteLog() {
  const writes: LedgerWrite[] = [];
  const waiting = new Set<(write: LedgerWrite) => void>();
  const compare = (before: Data, after: Data): void => {
    for (const [by, value] of Object.entries(after)) {
      if (before[by] === value) continue;
      const [term, , madeAt] = value.split('/').map(Number);
      const write = { by, term: term ?? 0, madeAt: madeAt ?? 0, seenAt: systemClock.monotonic() };
      writes.push(write);
      for (const tell of waiting) tell(write);
    }
  };
  const next: WriteHistory['next'] = async (matches, limitMs) =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancel();
        waiting.delete(tell);
        settle();
      };
      const tell = (write: LedgerWrite): void => {
        if (matches(write)) end(() => resolve(write));
      };
      const cancel = systemClock.after(limitMs, () => end(() => reject(new Error(`no such write in ${limitMs} ms`))));
      waiting.add(tell);
    });
  return { writes, compare, next };
}
