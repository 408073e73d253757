/** A server under test: it runs in a process of its own and is reached over HTTPS. */
export type Server = {
  readonly readyMs: number;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** What its processes hold of the machine's memory. */
  readonly memoryBytes: () => number;
  readonly stop: () => Promise<void>;
};
