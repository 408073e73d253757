import { ApiError, refusal } from '../api/api-error.ts';
import { isFields, textOf, toFields } from '../api/fields.ts';
import type { Fields } from '../api/fields.ts';
import type { FaultPlan } from '../faults/create-fault-plan.ts';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { WireResponse, WireRequest } from '@tributary/sim-kit';
import type { Journal, JournalFilter } from '../journal/create-journal.ts';
import type { SimState } from './create-sim-state.ts';

/** The real API has nothing below this. */
export const controlPrefix = '/__sim/';

export type ControlDeps = {
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly state: SimState;
  readonly edit: (method: string, path: string, body: unknown) => { readonly status: number; readonly body: unknown };
  readonly reset: () => void;
  /** What a client needs to begin. */
  readonly welcome: () => unknown;
};

type Command = (request: WireRequest, body: Fields, deps: ControlDeps) => unknown;

const commands: Readonly<Record<string, Command>> = {
  'GET /__sim/': (_, __, { welcome }) => welcome(),
  'GET /__sim/journal': ({ query }, _, { journal }) => journal.calls(toFilter(query)),
  'DELETE /__sim/journal': (_, __, { journal }) => journal.clear(),
  'GET /__sim/faults': (_, __, { faults }) => faults.list(),
  'POST /__sim/faults': (_, body, { faults }) => ({ id: faults.arm(toRule(body)) }),
  'DELETE /__sim/faults': ({ query }, _, { faults }) => {
    const id = query.get('id');
    return id === null ? faults.clear() : faults.disarm(Number(id));
  },
  'GET /__sim/state': (_, __, { state }) => state.dump(),
  'POST /__sim/state': (_, body, { state }) => changeState(body, state),
  'POST /__sim/dashboard': (_, body, { edit }) => edit(needed(body, 'method'), needed(body, 'path'), body['body']),
  'POST /__sim/connectors': (_, body, { state }) => ({
    id: state.connect(needed(body, 'token'), isFields(body['options']) ? body['options'] : {}),
  }),
  'DELETE /__sim/connectors': ({ query }, _, { state }) =>
    state.disconnect(query.get('tunnel_id') ?? '', query.get('id') ?? undefined),
  'POST /__sim/reset': (_, __, { reset }) => reset(),
};

/** The simulator's own switches over HTTP; they need no credential, and the journal does not show them. */
export function createControlHandler(deps: ControlDeps): (request: WireRequest) => WireResponse {
  return (request) => {
    try {
      const command = commands[`${request.method} ${request.path}`];
      if (!command) throw refusal(404, 0, `the simulator knows: ${Object.keys(commands).join(', ')}`);
      const result = command(request, request.body === '' ? {} : toFields(JSON.parse(request.body)), deps);
      return json(200, result ?? null);
    } catch (error) {
      if (error instanceof ApiError) return json(error.status, { error: error.message });
      if (error instanceof SyntaxError) return json(400, { error: error.message });
      throw error;
    }
  };
}

function json(status: number, value: unknown): WireResponse {
  return { kind: 'answer', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function needed(body: Fields, name: string): string {
  const value = textOf(body[name]);
  if (value === undefined) throw refusal(400, 0, `${name} is missing`);
  return value;
}

function toRule(body: Fields): FaultRule {
  const { fault } = body;
  if (!isFields(fault) || typeof fault['kind'] !== 'string') throw refusal(400, 0, 'a rule needs a fault with a kind');
  return body as unknown as FaultRule;
}

/** `row` stores, `fields` changes, neither removes. */
function changeState(body: Fields, state: SimState): void {
  const table = needed(body, 'table');
  const scope = needed(body, 'scope');
  if (isFields(body['row'])) return state.insert(table, scope, body['row']);
  if (isFields(body['fields'])) return state.change(table, scope, needed(body, 'id'), body['fields']);
  return state.remove(table, scope, needed(body, 'id'));
}

function toFilter(query: URLSearchParams): JournalFilter {
  const filter: Record<string, unknown> = {};
  for (const name of ['method', 'path', 'family', 'tokenId']) {
    if (query.has(name)) filter[name] = query.get(name);
  }
  for (const name of ['status', 'afterSeq']) if (query.has(name)) filter[name] = Number(query.get(name));
  if (query.has('write')) filter['write'] = query.get('write') === 'true';
  return filter;
}
