export type FaultMoment = 'before' | 'after';

/** All of it is plain data, so that rules travel over HTTP as well. */
export type Fault =
  /** Added to the usual latency, half before and half after the effect. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Without effect. `Throttling.User` when no code is given; without `retryAfterMs` there is no such header. */
  | { readonly kind: 'throttled'; readonly code?: string; readonly retryAfterMs?: number; readonly status?: number }
  /** Any refusal in the provider's own words, without effect. `sticks`: the call's ClientToken remembers it. */
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly status?: number;
      readonly message?: string;
      readonly sticks?: boolean;
    }
  /** 500 InternalError or another, before the effect or after it. */
  | { readonly kind: 'server-error'; readonly when: FaultMoment; readonly status?: number; readonly code?: string }
  /** A page of a gateway instead of JSON; 502 when no status is given. */
  | { readonly kind: 'html'; readonly when: FaultMoment; readonly status?: number }
  /** The connection breaks. After the effect this is the lost answer. */
  | { readonly kind: 'dropped'; readonly when: FaultMoment }
  /** No answer ever comes and the connection stays. */
  | { readonly kind: 'hang'; readonly when: FaultMoment }
  /** The caller dies at this call: `onCrash` is told and no answer ever comes. */
  | { readonly kind: 'crash'; readonly when: FaultMoment };

export type FaultMatch = {
  readonly action?: string | readonly string[];
  /** Parameters that the call must have with these very values. */
  readonly params?: Readonly<Record<string, string>>;
  /** True: only actions that change something. */
  readonly write?: boolean;
  readonly accessKeyId?: string;
};

export type FaultRule = {
  readonly match?: FaultMatch;
  readonly fault: Fault;
  /** So many matching calls pass unharmed first. */
  readonly skip?: number;
  /** How many calls it hits; one when absent. */
  readonly times?: number | 'always';
  /** The chance that a matching call is hit; drawn from the simulator's randomness. */
  readonly chance?: number;
};
