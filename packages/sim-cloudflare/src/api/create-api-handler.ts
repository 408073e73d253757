import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import { ApiError, noRoute } from './api-error.ts';
import type { Credentials } from './credentials.ts';
import type { Budget, RateLimit } from './create-rate-limit.ts';
import type { FoundRoute } from './create-router.ts';
import { performCall, refused } from './perform-call.ts';
import { dashboard } from './principal.ts';
import type { Principal } from './principal.ts';
import type { World } from './route.ts';
import { shapeFault, toInjection, tooManyRequests } from './shape-fault.ts';
import type { Injection, Outcome } from './shape-fault.ts';
import type { FaultPlan } from '../faults/create-fault-plan.ts';
import type { Fault } from '../faults/fault-rule.ts';
import type { WireResponse, WireHandler, WireRequest } from '@tributary/sim-kit';
import type { Journal } from '../journal/create-journal.ts';
import { redact } from '../journal/redact.ts';
import type { Store } from '../store/create-store.ts';

export const apiPrefix = '/client/v4';

export type ApiHandlerDeps = {
  readonly clock: Clock;
  readonly world: World;
  readonly store: Store;
  readonly credentials: Credentials;
  readonly limit: RateLimit;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly route: (method: string, path: string) => FoundRoute;
  readonly latencyMs: number;
  /** Told when a `crash` fault strikes. */
  readonly onCrash: () => void;
};

export type ApiHandler = {
  readonly handle: WireHandler;
  /** A change by a person at the dashboard: the same rules, but no limit, no fault and no latency. */
  readonly edit: (request: WireRequest) => WireResponse;
};

type Opened = { readonly path: string; readonly principal?: Principal; readonly found?: FoundRoute; error?: unknown };

/** One call from arrival to answer. The effect happens in one step, halfway through the latency. */
export function createApiHandler(deps: ApiHandlerDeps): ApiHandler {
  const { clock, limit, faults } = deps;

  const pause = async (ms: number): Promise<void> => (ms > 0 ? sleep(clock, ms) : undefined);

  const handle: WireHandler = async (request) => {
    const startedMs = clock.monotonic();
    const time = new Date(clock.now()).toISOString();
    const ray = `${deps.world.ids.hex(16)}-SIM`;
    const opened = open(request, deps);
    const budget = limit.take(opened.principal?.owner ?? 'anonymous');
    const drawn = budget.exceeded ? [] : faults.draw(faultedCall(request, opened));
    const injection = toInjection(drawn);
    const travelMs = (deps.latencyMs + injection.latencyMs) / 2;
    await pause(travelMs);
    const outcome = settle(request, opened, budget, injection, deps);
    // A caller that is dead does not wait.
    await pause(outcome.kind === 'crashed' ? 0 : travelMs);
    const durationMs = clock.monotonic() - startedMs;
    record(deps.journal, request, opened, outcome, { time, ray, durationMs, drawn });
    if (outcome.kind !== 'answer') return { kind: outcome.kind };
    const headers = { ...outcome.headers, ...limit.headers(budget), ...plainHeaders(ray, clock) };
    const late = injection.bodyDelayMs !== undefined && { bodyDelayMs: injection.bodyDelayMs };
    return { kind: 'answer', status: outcome.status, headers, body: outcome.body, ...late };
  };

  const edit = (request: WireRequest): WireResponse => {
    const time = new Date(clock.now()).toISOString();
    const ray = `${deps.world.ids.hex(16)}-SIM`;
    const opened = open(request, { ...deps, credentials: { ...deps.credentials, identify: () => dashboard } });
    const outcome = perform(request, opened, 0, deps);
    record(deps.journal, request, opened, outcome, { time, ray, durationMs: 0, drawn: [] });
    const headers = { ...outcome.headers, ...plainHeaders(ray, clock) };
    return { kind: 'answer', status: outcome.status, headers, body: outcome.body };
  };

  return { handle, edit };
}

function plainHeaders(ray: string, clock: Clock): Readonly<Record<string, string>> {
  return { 'cf-ray': ray, date: new Date(clock.now()).toUTCString(), server: 'cloudflare' };
}

/** Who calls comes first: a stranger does not learn which paths exist. */
function open(request: WireRequest, deps: Pick<ApiHandlerDeps, 'credentials' | 'route'>): Opened {
  if (!request.path.startsWith(`${apiPrefix}/`)) return { path: request.path, error: noRoute(request.path) };
  const path = request.path.slice(apiPrefix.length);
  let principal: Principal | undefined;
  try {
    principal = deps.credentials.identify(request.headers, path);
    return { path, principal, found: deps.route(request.method, path) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { path, error, ...(principal && { principal }) };
  }
}

function faultedCall(request: WireRequest, { path, principal, found }: Opened): Parameters<FaultPlan['draw']>[0] {
  return { method: request.method, path, family: found?.family ?? '', tokenId: principal?.tokenId ?? '' };
}

function settle(
  request: WireRequest,
  opened: Opened,
  budget: Budget,
  { terminal, lagMs }: Injection,
  deps: ApiHandlerDeps,
): Outcome {
  if (budget.exceeded) return tooManyRequests(budget.resetSeconds);
  if (!terminal) return perform(request, opened, lagMs, deps);
  const effect = 'when' in terminal && terminal.when === 'after' ? perform(request, opened, lagMs, deps) : undefined;
  if (terminal.kind === 'crash') deps.onCrash();
  return { ...shapeFault(terminal), changed: effect?.changed ?? false };
}

function perform(
  request: WireRequest,
  { principal, found, error }: Opened,
  lagMs: number,
  { store, world }: Pick<ApiHandlerDeps, 'store' | 'world'>,
): Outcome {
  if (!principal || !found) return refused(error);
  return performCall({ request, found, principal, lagMs }, store, world);
}

type Circumstances = {
  readonly time: string;
  readonly ray: string;
  readonly durationMs: number;
  readonly drawn: readonly Fault[];
};

function record(
  journal: Journal,
  request: WireRequest,
  opened: Opened,
  { status, errorCodes, changed }: Outcome,
  { time, ray, durationMs, drawn }: Circumstances,
): void {
  const { family, tokenId, path, method } = faultedCall(request, opened);
  const query = request.query.toString();
  const body = redactedBody(request.body);
  const faults = drawn.map(({ kind }) => kind);
  journal.record({
    time,
    method,
    path,
    query,
    body,
    status,
    errorCodes,
    durationMs,
    family,
    tokenId,
    ray,
    changed,
    faults,
  });
}

function redactedBody(body: string): unknown {
  if (body === '') return undefined;
  try {
    return redact(JSON.parse(body));
  } catch {
    return '[not JSON]';
  }
}
