/**
 * What a server did not take, by the key of the object: an older one drops fields that it has never heard of. Said once, it is not said
 * again for as long as it would be the same, or two servers of different age would keep us writing for ever.
 */
export type RefusedWrites = {
  readonly isRefused: (key: string, patch: unknown) => boolean;
  /** `left`: what would have to be written once more, after the answer to the last write. */
  readonly learn: (key: string, left: unknown) => void;
  readonly forget: (key: string) => void;
};

export function createRefusedWrites(): RefusedWrites {
  const refused = new Map<string, string>();
  return {
    isRefused: (key, patch) => refused.get(key) === JSON.stringify(patch),
    learn: (key, left) => {
      if (left === undefined) refused.delete(key);
      else refused.set(key, JSON.stringify(left));
    },
    forget: (key) => void refused.delete(key),
  };
}
