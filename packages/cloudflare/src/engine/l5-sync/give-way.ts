/** Lets what is not urgent give way: whoever waits for a look that nobody asked for is told when there is something to do. */
export type GiveWay = {
  /** What the look shows; nothing when news of that SyncState came first. The look itself goes on: others may share it. */
  readonly unlessNews: <T>(name: string, look: Promise<T>) => Promise<T | undefined>;
  readonly tell: (name: string) => void;
};

export function createGiveWay(): GiveWay {
  const waiting = new Map<string, () => void>();
  return {
    unlessNews: async (name, look) => {
      const news = Promise.withResolvers<undefined>();
      waiting.set(name, () => news.resolve(undefined));
      try {
        return await Promise.race([look, news.promise]);
      } finally {
        waiting.delete(name);
      }
    },
    tell: (name) => waiting.get(name)?.(),
  };
}
