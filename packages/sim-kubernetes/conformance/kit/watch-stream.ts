import type { IncomingMessage } from 'node:http';
import type { Loose } from './loose.ts';

export type WatchEvent = { readonly type: string; readonly object: Loose };

export type WatchStream = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The next event that is no bookmark; throws when none comes in time or the stream ends. */
  readonly next: () => Promise<WatchEvent>;
  readonly take: (count: number) => Promise<readonly WatchEvent[]>;
  /** The next event of any type. */
  readonly nextRaw: () => Promise<WatchEvent>;
  /** All events, bookmarks too, until the server ends the stream. */
  readonly rest: () => Promise<readonly WatchEvent[]>;
  readonly close: () => void;
};

const patienceMs = 10_000;

/** Splits a watch answer into events. A body that is no stream of events arrives as its one line. */
export function createWatch(response: IncomingMessage): WatchStream {
  const lines = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const pending: WatchEvent[] = [];
  let tail = '';
  const pull = async (): Promise<boolean> => {
    const chunk = await inTime(lines.next());
    if (chunk.done) return false;
    const parts = (tail + chunk.value.toString()).split('\n');
    tail = parts.pop() ?? '';
    pending.push(...parts.filter((line) => line !== '').map((line) => JSON.parse(line) as WatchEvent));
    return true;
  };
  const nextRaw = async (): Promise<WatchEvent> => {
    while (pending.length === 0) {
      if (!(await pull())) throw new Error('the watch ended before the event that the test waits for');
    }
    return pending.shift() as WatchEvent;
  };
  const next = async (): Promise<WatchEvent> => {
    const event = await nextRaw();
    return event.type === 'BOOKMARK' ? next() : event;
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string | undefined>,
    next,
    nextRaw,
    take: async (count) => {
      const taken: WatchEvent[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    rest: async () => {
      while (await pull());
      return pending.splice(0);
    },
    close: () => response.destroy(),
  };
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no watch event within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
