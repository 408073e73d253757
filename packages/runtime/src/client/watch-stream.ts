import type { KubeObject } from '../object.ts';
import { OperatorError } from '../operator-error.ts';
import type { WatchEvent } from './kube-client.ts';
import { createLineSplitter } from './line-splitter.ts';
import type { HttpHead, HttpResponse, StreamHandler } from './transport.ts';

/** Makes events of the bytes of a watch; an answer that is no stream of events is collected instead. */
export type WatchStream = {
  readonly handler: StreamHandler;
  /** To be called at the clean end of the stream. */
  readonly end: () => void;
  /** The answer, when the server refused the watch. */
  readonly refusal: () => HttpResponse | undefined;
};

export function createWatchStream<T extends KubeObject>(
  what: string,
  onEvent: (event: WatchEvent<T>) => void,
): WatchStream {
  let head: HttpHead | undefined;
  const chunks: Uint8Array[] = [];
  const lines = createLineSplitter((line) => onEvent(toEvent<T>(line, what)));
  const refused = (): boolean => head !== undefined && head.status !== 200;
  return {
    handler: {
      onHead: (received) => (head = received),
      onChunk: (chunk) => (refused() ? void chunks.push(chunk) : lines.push(chunk)),
    },
    end: () => lines.end(),
    refusal: () => (head !== undefined && refused() ? { ...head, body: Buffer.concat(chunks) } : undefined),
  };
}

function toEvent<T extends KubeObject>(line: string, what: string): WatchEvent<T> {
  const event = parse(line);
  if (event !== undefined) return event as WatchEvent<T>;
  // Neither the line nor the parser's complaint goes into the error: both would show what an object holds.
  const size = Buffer.byteLength(line);
  throw new OperatorError('kube/bad-watch-line', `${what}: a line of ${size} bytes is no event`, { kind: 'backoff' });
}

function parse(line: string): { type: unknown; object: unknown } | undefined {
  try {
    const event = JSON.parse(line) as { type?: unknown; object?: unknown } | null;
    const whole = typeof event?.type === 'string' && typeof event.object === 'object' && event.object !== null;
    return whole ? (event as { type: unknown; object: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
