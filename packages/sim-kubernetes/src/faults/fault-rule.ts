/** Which requests a rule is about; what is left out matches everything. */
export type FaultMatch = {
  /** In the words of RBAC: get, list, watch, create, update, patch, delete, deletecollection; or `write` for the last five. */
  readonly verb?: string | readonly string[];
  readonly group?: string;
  /** The plural, `pods`, or a subresource of it, `pods/status`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** How the caller's user agent begins. */
  readonly userAgent?: string;
};

export type Fault =
  /** The request waits before it is looked at. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs?: number }
  /** The connection breaks: before anything happened, or after everything did. */
  | { readonly kind: 'reset'; readonly effect: 'before' | 'after' }
  /** An error instead of the answer: before anything happened, or after everything did. */
  | {
      readonly kind: 'error';
      readonly status: 410 | 429 | 500 | 503 | 504;
      readonly retryAfterSeconds?: number;
      readonly effect?: 'before' | 'after';
    }
  /** No answer ever; a watch falls silent after some events and stays open. */
  | { readonly kind: 'stall'; readonly afterEvents?: number }
  /** A list shows the state of so many revisions ago. */
  | { readonly kind: 'stale-list'; readonly revisions: number }
  /** A watch is told that its revision is gone, by an ERROR event. */
  | { readonly kind: 'watch-expired'; readonly afterEvents?: number }
  /** The connection of a watch breaks after some events. */
  | { readonly kind: 'watch-reset'; readonly afterEvents: number }
  /** Events of a watch get lost, each with this chance. */
  | { readonly kind: 'drop-events'; readonly chance: number }
  /** Events of a watch come late, in their order. */
  | { readonly kind: 'delay-events'; readonly ms: number; readonly jitterMs?: number }
  /**
   * The caller dies at this request: before it has an effect, after its answer arrived, or after the effect with
   * the answer lost. From then on nothing of that user agent gets through, until it is revived.
   */
  | { readonly kind: 'crash'; readonly at: 'before' | 'after' | 'answer-lost' };

/** Those that happen to the stream of a watch. */
export type StreamFault = Extract<
  Fault,
  { readonly kind: 'stall' | 'watch-expired' | 'watch-reset' | 'drop-events' | 'delay-events' }
>;

export type FaultRule = {
  readonly match?: FaultMatch;
  readonly fault: Fault;
  /** How many matching requests pass unharmed before it begins: `skip: 2` hits the third. */
  readonly skip?: number;
  /** How many requests it hits; absent: all of them. */
  readonly times?: number;
  /** Of those it would hit, the share that it does. */
  readonly chance?: number;
};
