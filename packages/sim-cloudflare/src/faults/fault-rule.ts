export type FaultMoment = 'before' | 'after';

/** All of it is plain data, so that rules travel over HTTP as well. */
export type Fault =
  /** Added to the usual latency, half before and half after the effect. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** 429 without effect. Without `retryAfterSeconds` there is no Retry-After header. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number; readonly code?: number }
  /** An envelope with a server error, before the effect or after it. */
  | { readonly kind: 'server-error'; readonly when: FaultMoment; readonly status?: number; readonly code?: number }
  /** A page of the edge instead of JSON. */
  | { readonly kind: 'html'; readonly when: FaultMoment; readonly status?: number }
  /** The connection breaks. After the effect this is the lost answer. */
  | { readonly kind: 'dropped'; readonly when: FaultMoment }
  /** 200 with `success: false`, without effect. */
  | { readonly kind: 'unsuccessful'; readonly code?: number; readonly message?: string }
  /** Any refusal in the API's own words, without effect. */
  | { readonly kind: 'refusal'; readonly status: number; readonly code: number; readonly message: string }
  /** Headers at once, the body so much later. */
  | { readonly kind: 'slow-body'; readonly ms: number }
  /** Reads show the state of so many milliseconds ago. */
  | { readonly kind: 'eventual-read'; readonly lagMs: number }
  /** The caller dies at this call: `onCrash` is told and no answer ever comes. */
  | { readonly kind: 'crash'; readonly when: FaultMoment };

export type FaultMatch = {
  readonly method?: string | readonly string[];
  /** Below `/client/v4`. A star stands for any text: `/zones/X/dns_records*`. */
  readonly path?: string;
  readonly family?: string;
  /** True: only calls that change something (all but GET). */
  readonly write?: boolean;
  readonly tokenId?: string;
};

export type FaultRule = {
  readonly match?: FaultMatch;
  readonly fault: Fault;
  /** So many matching calls pass unharmed first. */
  readonly skip?: number;
  /** How many calls it hits; one when absent. */
  readonly count?: number | 'always';
  /** The chance that a matching call is hit; drawn from the simulator's randomness. */
  readonly probability?: number;
};
