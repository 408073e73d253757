import { checkAccess } from './access.ts';
import { ApiError, refusal } from './api-error.ts';
import type { FoundRoute } from './create-router.ts';
import { successBody } from './envelope.ts';
import type { Principal } from './principal.ts';
import type { Reply, World } from './route.ts';
import { failure } from './shape-fault.ts';
import type { Outcome } from './shape-fault.ts';
import type { WireRequest } from '@tributary/sim-kit';
import type { Store } from '../store/create-store.ts';
import { globalScope } from '../store/table.ts';
import type { Draft } from '../store/table.ts';
import { accounts } from '../families/account-tables.ts';
import { zones } from '../families/zones/zone.ts';

export type CallContext = {
  readonly request: WireRequest;
  readonly found: FoundRoute;
  readonly principal: Principal;
  /** Above 0 a read shows an old state. */
  readonly lagMs: number;
};

/** Runs one call against the state; a refusal is an outcome too, and leaves the state as it was. */
export function performCall(context: CallContext, store: Store, world: World): Outcome {
  try {
    const body = readJson(context);
    const work = (state: Draft): Reply => runRoute(context, state, body, world);
    if (context.request.method === 'GET' && context.lagMs > 0) {
      return toOutcome(store.lookBack(context.lagMs, work), false);
    }
    const { result, changed } = store.transact(work);
    return toOutcome(result, changed);
  } catch (error) {
    return refused(error);
  }
}

export function refused(error: unknown): Outcome {
  if (error instanceof ApiError) return failure(error.status, error.errors);
  // A fault of the simulator itself must be seen, not be mistaken for one of Cloudflare's refusals.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return failure(500, [{ code: 1, message: `the simulator failed: ${text}` }]);
}

function readJson({ request, found }: CallContext): unknown {
  if (found.route.json === false || request.body === '') return undefined;
  try {
    return JSON.parse(request.body) as unknown;
  } catch {
    throw refusal(400, 6007, 'Malformed JSON in request body');
  }
}

function runRoute({ request, found, principal }: CallContext, state: Draft, body: unknown, world: World): Reply {
  const { route, params } = found;
  checkAccess(route.access, principal, {
    path: request.path,
    write: route.method !== 'GET',
    params,
    isAccount: (id) => state.get(accounts, globalScope, id) !== undefined,
    accountOfZone: (id) => state.get(zones, globalScope, id)?.accountId,
  });
  return route.run({ state, params, query: request.query, body, request, principal, world });
}

function toOutcome(reply: Reply, changed: boolean): Outcome {
  if ('text' in reply) {
    const headers = { 'content-type': reply.contentType };
    return { kind: 'answer', status: 200, headers, body: reply.text, errorCodes: [], changed };
  }
  const body = successBody(reply.result, reply.info, reply.messages);
  const { status = 200 } = reply;
  if (status === 204) return { kind: 'answer', status, headers: {}, body: '', errorCodes: [], changed };
  const headers = { 'content-type': 'application/json' };
  return { kind: 'answer', status, headers, body, errorCodes: [], changed };
}
