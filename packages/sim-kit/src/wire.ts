/** A request as it came in: over a socket or by a call in process. */
export type WireRequest = {
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type WireResponse =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Headers go out at once, the body so much later. */
      readonly bodyDelayMs?: number;
    }
  /** The connection breaks and the caller cannot know what happened. */
  | { readonly kind: 'dropped' }
  /** The connection stays open and nothing comes. */
  | { readonly kind: 'hung' }
  /** The caller died while it waited. */
  | { readonly kind: 'crashed' };

export type WireHandler<R extends WireResponse = WireResponse> = (request: WireRequest) => Promise<R>;
