/**
 * Cuts a stream of bytes at newlines. It works on bytes because a chunk may end in the middle of a character; text
 * is made only of whole lines. A line that spans many chunks is joined once, not once per chunk.
 */
export type LineSplitter = {
  readonly push: (chunk: Uint8Array) => void;
  /** Hands on what stands after the last newline. */
  readonly end: () => void;
};

const newline = 10;

/** `onLine` is called for each line that is not empty, without its newline. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let pending: Buffer[] = [];

  const flush = (last: Buffer): void => {
    if (pending.length === 0) {
      if (last.length > 0) onLine(last.toString('utf8'));
      return;
    }
    const line = Buffer.concat([...pending, last]);
    pending = [];
    onLine(line.toString('utf8'));
  };

  return {
    push: (chunk) => {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, start)) {
        flush(bytes.subarray(start, at));
        start = at + 1;
      }
      if (start < bytes.length) pending.push(bytes.subarray(start));
    },
    end: () => flush(Buffer.alloc(0)),
  };
}
