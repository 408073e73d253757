import type { AuditTrail } from '../audit/audit-trail.ts';
import type { ClientCertificate } from '../auth/client-certificate.ts';

/** One request to the embedded server, however it arrived: over HTTPS or by a call in process. */
export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  /** Path and query as they were sent. */
  readonly url?: string | undefined;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborted when the caller went away. */
  readonly signal: AbortSignal;
  /** Absent when the caller showed none. */
  readonly certificate?: ClientCertificate | undefined;
  /** Absent when it came by a call in process. */
  readonly remoteAddress?: string | undefined;
  /** Where what becomes known of the request is noted, when somebody wants to know. */
  readonly audit?: AuditTrail | undefined;
};

// No header has a line break of its own, and values of these have commas.
const betweenValues = '\n';

/** The values of a header that may come several times (`Impersonate-...`), in one text. */
export function joinRepeated(values: readonly string[]): string {
  return values.join(betweenValues);
}

export function repeatedHeader(value: string | undefined): readonly string[] {
  return value === undefined ? [] : value.split(betweenValues);
}

/** Where a watch writes its events. `write` returns false when the reader is too slow and the stream must end. */
export type StreamSink = {
  readonly write: (chunk: string | Uint8Array) => boolean;
  readonly end: () => void;
  /** Breaks the connection without an end, as a crash would. */
  readonly reset: () => void;
};

export type ApiResponse =
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Uint8Array;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Starts writing; the returned function is called when the reader has gone. */
      readonly open: (sink: StreamSink) => () => void;
    };

export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** A path outside of the resources: health, version, OpenAPI. `undefined` when it is not its path after all. */
export type NonResourceRoute = {
  /** Exact path, or a prefix when it ends with `/`. */
  readonly path: string;
  /** Every method but GET is refused; absent: the handler does not care. */
  readonly getOnly?: boolean;
  readonly handle: (request: ApiRequest) => ApiResponse | undefined | Promise<ApiResponse | undefined>;
};
