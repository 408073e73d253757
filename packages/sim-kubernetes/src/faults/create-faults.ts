import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import { expired, internalError, serviceUnavailable, timeout, tooManyRequests } from '../registry/api-error.ts';
import type { ApiError } from '../registry/api-error.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../http/api-request.ts';
import { ConnectionReset } from '../http/connection-reset.ts';
import { respondError } from '../http/respond.ts';
import type { Store } from '../storage/store.ts';
import { createCrashedCallers } from './crashed-callers.ts';
import type { CrashedCallers } from './crashed-callers.ts';
import type { Fault, FaultRule, StreamFault } from './fault-rule.ts';
import { createFaultScript } from './fault-script.ts';
import { withStreamFault } from './faulty-stream.ts';
import { factsOf } from './match-request.ts';
import type { RequestFacts } from './match-request.ts';

/** What can go wrong between a client and the server, on demand. */
export type Faults = {
  /** The returned function takes the rule away again. */
  readonly add: (rule: FaultRule) => () => void;
  readonly clear: () => void;
  /** How many requests were hit so far. */
  readonly hits: () => number;
  /** Cuts a caller off at once, by its whole user agent. */
  readonly crash: (userAgent: string) => void;
  /** The caller is started again: its requests get through from now on. */
  readonly revive: (userAgent: string) => void;
  readonly isCrashed: (userAgent: string) => boolean;
  /** Puts the faults around a handler. */
  readonly around: (next: ApiHandler) => ApiHandler;
};

export type FaultDeps = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly store: Pick<Store, 'revision'>;
};

export function createFaults(deps: FaultDeps): Faults {
  const script = createFaultScript(deps.random);
  const callers = createCrashedCallers();
  const around =
    (next: ApiHandler): ApiHandler =>
    async (request) => {
      const caller = request.headers['user-agent'] ?? '';
      callers.check(caller);
      if (script.isEmpty()) return callers.follow(caller, await next(request));
      const facts = factsOf(request);
      const faulty = script
        .hit(facts)
        .reduce<ApiHandler>((inner, fault) => async (asked) => applyFault(fault, asked, facts, inner), next);
      return callers.follow(caller, await faulty(request));
    };
  const applyFault = createApplier(deps, callers);
  return {
    add: script.add,
    clear: script.clear,
    hits: script.hits,
    crash: callers.crash,
    revive: callers.revive,
    isCrashed: callers.isDead,
    around,
  };
}

type ApplyFault = (fault: Fault, request: ApiRequest, facts: RequestFacts, next: ApiHandler) => Promise<ApiResponse>;

function createApplier(deps: FaultDeps, callers: CrashedCallers): ApplyFault {
  return async (fault, request, facts, next) => {
    switch (fault.kind) {
      case 'latency':
        await sleep(deps.clock, fault.ms + deps.random() * (fault.jitterMs ?? 0), request.signal);
        return next(request);
      case 'reset':
        if (fault.effect === 'after') await next(request);
        throw new ConnectionReset();
      case 'error':
        if (fault.effect === 'after') await next(request);
        return respondError(errorOf(fault));
      case 'stale-list':
        return next(facts.verb === 'list' ? toStale(request, deps.store.revision() - fault.revisions) : request);
      case 'crash':
        return crash(fault, facts, async () => next(request), callers);
      case 'stall':
        if (facts.verb !== 'watch') return silence(request.signal);
        return streamed(await next(request), fault, deps);
      case 'watch-expired':
      case 'watch-reset':
      case 'drop-events':
      case 'delay-events':
        return streamed(await next(request), fault, deps);
      default:
        return fault satisfies never;
    }
  };
}

function streamed(response: ApiResponse, fault: StreamFault, deps: FaultDeps): ApiResponse {
  return response.kind === 'stream' ? withStreamFault(response, fault, deps) : response;
}

async function crash(
  { at }: Extract<Fault, { readonly kind: 'crash' }>,
  { userAgent }: RequestFacts,
  inner: () => Promise<ApiResponse>,
  callers: CrashedCallers,
): Promise<ApiResponse> {
  if (at === 'before') callers.crash(userAgent);
  callers.check(userAgent);
  const response = await inner();
  callers.crash(userAgent);
  if (at === 'answer-lost') callers.check(userAgent);
  return response;
}

/** Until the caller gives up. */
async function silence(signal: AbortSignal): Promise<never> {
  return new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Only the first page: a token names its revision already. */
function toStale(request: ApiRequest, revision: number): ApiRequest {
  const query = new URLSearchParams(request.query);
  if ((query.get('continue') ?? '') !== '') return request;
  query.set('resourceVersion', String(Math.max(1, revision)));
  query.set('resourceVersionMatch', 'Exact');
  return { ...request, query };
}

function errorOf({ status, retryAfterSeconds = 1 }: Extract<Fault, { readonly kind: 'error' }>): ApiError {
  switch (status) {
    case 410:
      return expired('The resourceVersion for the provided watch is too old.');
    case 429:
      return tooManyRequests('Too many requests, please try again later.', retryAfterSeconds);
    case 503:
      return serviceUnavailable('the server is currently unable to handle the request');
    case 504:
      return timeout('request did not complete within the allotted timeout', 0);
    case 500:
      return internalError('a fault was injected');
    default:
      return status satisfies never;
  }
}
