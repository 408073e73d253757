/** The shape that every layer wraps: one call in, one answer out. */
import type { HeaderReader } from '../budget/rate-headers.ts';
import type { Priority } from '../budget/priority.ts';
import type { CloudflareError } from '../errors/cloudflare-error.ts';
import type { Family } from '../errors/family.ts';

export type Call = {
  /** In capitals. */
  readonly method: string;
  readonly url: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly family: Family;
  readonly priority: Priority;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | FormData | undefined;
  /** Each of them ends the call. */
  readonly signals: readonly AbortSignal[];
  /** How long to wait for the answer to begin; the client's own limit when absent. */
  readonly timeoutMs: number | undefined;
};

export type Answer = {
  /** 0 when none came, and then there is a failure. */
  readonly status: number;
  readonly headers: HeaderReader;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** Set by `with-judgement.ts`: why this is not a success. */
  readonly failure?: CloudflareError;
};

export type Send = (call: Call) => Promise<Answer>;
export type Layer = (next: Send) => Send;

/** The first layer is the outermost. */
export function stack(base: Send, ...layers: readonly Layer[]): Send {
  return layers.reduceRight((next, layer) => layer(next), base);
}
