export type SerialQueue = { readonly add: (key: string) => void; readonly stop: () => void };

/** Handles keys one after the other, each once however often it was added, and never in the step that added it. */
export function createSerialQueue(
  handle: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
): SerialQueue {
  const waiting = new Set<string>();
  let stopped = false;
  let working = false;
  const work = async (): Promise<void> => {
    working = true;
    await Promise.resolve();
    for (const key of waiting) {
      waiting.delete(key);
      if (!stopped) await handle(key).catch(onError);
    }
    working = false;
  };
  return {
    add: (key) => {
      waiting.add(key);
      if (!working) void work();
    },
    stop: () => {
      stopped = true;
    },
  };
}
