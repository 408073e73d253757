import type { FaultPlan } from '../faults/create-fault-plan.ts';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { WireResponse, WireRequest } from '@tributary/sim-kit';
import type { Journal } from '../journal/create-journal.ts';
import type { Dashboard } from './create-dashboard.ts';
import type { SimState } from './create-sim-state.ts';

/** The real API has nothing below this. */
export const controlPrefix = '/__sim/';

export type ControlDeps = {
  readonly journal: Pick<Journal, 'calls' | 'clear'>;
  readonly faults: Pick<FaultPlan, 'arm' | 'list' | 'clear'>;
  readonly state: SimState;
  readonly dashboard: Dashboard;
  readonly reset: () => void;
  /** What a client needs to begin. */
  readonly welcome: () => unknown;
};

type Command = (deps: ControlDeps, body: unknown, query: URLSearchParams) => unknown;

const commands: Readonly<Record<string, Command>> = {
  'GET /__sim/': ({ welcome }) => welcome(),
  'GET /__sim/journal': ({ journal }, _, query) => {
    const action = query.get('action');
    return journal.calls(action === null ? {} : { action });
  },
  'DELETE /__sim/journal': ({ journal }) => journal.clear(),
  'GET /__sim/faults': ({ faults }) => faults.list(),
  'POST /__sim/faults': ({ faults }, body) => ({ id: faults.arm(toRule(body)) }),
  'DELETE /__sim/faults': ({ faults }) => faults.clear(),
  'GET /__sim/state': ({ state }) => ({ eips: state.eips(), packages: state.packages() }),
  'POST /__sim/dashboard': ({ dashboard }, body) => operate(dashboard, body),
  'POST /__sim/reset': ({ reset }) => reset(),
};

/** The simulator's own switches over HTTP; they need no credential, and the journal does not show them. */
export function createControlHandler(deps: ControlDeps): (request: WireRequest) => WireResponse {
  return ({ method, path, body, query }) => {
    const command = commands[`${method} ${path}`];
    if (!command) return json(404, { error: `the simulator knows: ${Object.keys(commands).join(', ')}` });
    try {
      return json(200, command(deps, body === '' ? undefined : (JSON.parse(body) as unknown), query) ?? null);
    } catch (error) {
      return json(400, { error: error instanceof Error ? error.message : String(error) });
    }
  };
}

function json(status: number, value: unknown): WireResponse {
  return { kind: 'answer', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function toRule(body: unknown): FaultRule {
  const rule = body as FaultRule | undefined;
  if (typeof rule?.fault?.kind !== 'string') throw new Error('a rule needs a fault with a kind');
  return rule;
}

/** `{"operation": "associate", "arguments": ["eip-…", "nlb-…"]}`. */
function operate(dashboard: Dashboard, body: unknown): unknown {
  const { operation = '', arguments: given = [] } = (body ?? {}) as { operation?: string; arguments?: unknown[] };
  if (!Object.hasOwn(dashboard, operation)) {
    throw new Error(`the dashboard knows: ${Object.keys(dashboard).join(', ')}`);
  }
  const run = dashboard[operation as keyof Dashboard] as (...args: readonly unknown[]) => unknown;
  return run(...given);
}
