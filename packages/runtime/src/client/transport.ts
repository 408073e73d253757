/**
 * How bytes get to an API server and back. There are two: undici over the network, and a call in process
 * into the embedded server. Everything above it is the same for both.
 */
export type HttpRequest = {
  readonly method: string;
  /** Path with query, for example `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How long to wait for the first byte of the answer. */
  readonly headersTimeoutMs?: number;
  /** How long the body may stay silent: on a watch this is what finds a half-open connection. */
  readonly bodyTimeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called in the very turn in which the request is written to the connection, however long it waited for one.
   * When it throws, nothing is sent and the request rejects with that error: the last moment to think better of it.
   */
  readonly beforeSend?: (() => void) | undefined;
};

export type HttpHead = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

export type HttpResponse = HttpHead & { readonly body: Uint8Array };

export type StreamHandler = {
  /** Called once, before any chunk. */
  readonly onHead: (head: HttpHead) => void;
  /** Called for each piece of the body as it arrives; an error thrown here ends the stream with that error. */
  readonly onChunk: (chunk: Uint8Array) => void;
};

export type Transport = {
  /** Sends and collects the whole answer, whatever its status. Rejects only when no answer came. */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
  /** Sends and hands on the answer piece by piece. Resolves at a clean end, rejects when the connection broke. */
  readonly stream: (request: HttpRequest, handler: StreamHandler) => Promise<void>;
  readonly close: () => Promise<void>;
};
