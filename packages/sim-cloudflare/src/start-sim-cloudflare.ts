import { systemClock } from '@tributary/runtime/clock';
import { apiPrefix } from './api/create-api-handler.ts';
import type { Credentials } from './api/credentials.ts';
import { assembleSim } from './assemble-sim.ts';
import type { Dashboard } from './assemble-sim.ts';
import { controlPrefix, createControlHandler } from './control/create-control-handler.ts';
import type { SimState } from './control/create-sim-state.ts';
import { zones } from './families/zones/zone.ts';
import type { Plan } from './families/zones/zone.ts';
import type { FaultPlan } from './faults/create-fault-plan.ts';
import { createInProcessFetch, serve } from '@tributary/sim-kit';
import type { Fetch, WireHandler } from '@tributary/sim-kit';
import type { Journal } from './journal/create-journal.ts';
import { accountIdOf } from './seed-state.ts';
import { defaultAccounts, defaultToken } from './sim-options.ts';
import type { SimCloudflareOptions } from './sim-options.ts';
import type { Store } from './store/create-store.ts';
import { globalScope } from './store/table.ts';

export type SimZone = {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly accountId: string;
};

export type SimCloudflare = {
  /** The base URL for clients, ending in `/client/v4`. Without a socket only `fetch` can reach it. */
  readonly url: string;
  readonly accountId: string;
  readonly zones: readonly SimZone[];
  readonly token: string;
  /** Answers without a socket, on the simulator's clock alone. */
  readonly fetch: Fetch;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly state: SimState;
  readonly credentials: Pick<Credentials, 'add' | 'revoke'>;
  /** A change by a person at the dashboard: by the rules of the API, but without limit, latency and faults. */
  readonly dashboard: Dashboard;
  /** As at the start: state, faults, journal and budgets. Credentials stay. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

/** Where a simulator without a socket seems to be. */
const socketless = 'http://cloudflare.simulator';

export async function startSimCloudflare(options: SimCloudflareOptions = {}): Promise<SimCloudflare> {
  const { clock = systemClock, host = '127.0.0.1', port = 0 } = options;
  const { handle, store, journal, faults, state, credentials, dashboard, reset } = assembleSim(options, clock);
  const [account] = options.accounts ?? defaultAccounts;
  const accountId = account ? accountIdOf(account) : '';
  const token = (options.tokens ?? [defaultToken])[0]?.value ?? '';
  let url = `${socketless}${apiPrefix}`;
  const welcome = (): unknown => ({ url, accountId, zones: zonesOf(store), token });
  const control = createControlHandler({ journal, faults, state, edit: dashboard, reset, welcome });
  const handler: WireHandler = async (request) =>
    request.path.startsWith(controlPrefix) ? control(request) : handle(request);
  const listening = options.listen === false ? undefined : await serve(handler, { port, host }, clock);
  if (listening) url = `http://${host}:${listening.port}${apiPrefix}`;
  return {
    url,
    accountId,
    zones: zonesOf(store),
    token,
    fetch: createInProcessFetch(handler, clock),
    journal,
    faults,
    state,
    credentials,
    dashboard,
    reset,
    stop: async () => listening?.close(),
  };
}

function zonesOf(store: Store): readonly SimZone[] {
  const rows = [...store.read().rows(zones, globalScope).values()];
  return rows.map(({ id, name, plan, accountId }) => ({ id, name, plan, accountId }));
}
