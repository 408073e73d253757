/** One POST to a webhook. */
export type WebhookPost = {
  /** Where it is, with path and query: what messages name. */
  readonly url: string;
  /** Where to connect to when that is not what the URL says: the endpoint behind a Service. */
  readonly connectTo?: WebhookAddress | undefined;
  /** The authorities that the webhook's certificate may come from, as PEM; absent: those of the system. */
  readonly ca?: string | undefined;
  readonly userAgent: string;
  readonly body: string;
  readonly signal: AbortSignal;
};

export type WebhookAddress = { readonly host: string; readonly port: number };

export type WebhookReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** Carries a post to a webhook. Rejects with a TransportError when there is no reply. */
export type WebhookTransport = (post: WebhookPost) => Promise<WebhookReply>;

/** No reply came, said in the words of Go's HTTP client, which end up in what the caller of the API server reads. */
export class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportError';
  }
}
