import type { Clock } from '@tributary/runtime/clock';
import { apiPrefix, createApiHandler } from './api/create-api-handler.ts';
import type { ApiHandler } from './api/create-api-handler.ts';
import { createCredentials } from './api/credentials.ts';
import type { Credentials } from './api/credentials.ts';
import { createRateLimit, realRateLimit } from './api/create-rate-limit.ts';
import { createRouter } from './api/create-router.ts';
import type { World } from './api/route.ts';
import { createSimState } from './control/create-sim-state.ts';
import type { SimState } from './control/create-sim-state.ts';
import { allFamilies } from './families/all-families.ts';
import { createFaultPlan } from './faults/create-fault-plan.ts';
import type { FaultPlan } from './faults/create-fault-plan.ts';
import type { WireHandler } from '@tributary/sim-kit';
import { createIdSource } from './ids/create-id-source.ts';
import { createJournal } from './journal/create-journal.ts';
import type { Journal } from './journal/create-journal.ts';
import { seedState } from './seed-state.ts';
import { defaultAccounts, defaultToken, defaultUser, defaultZones } from './sim-options.ts';
import type { SimCloudflareOptions } from './sim-options.ts';
import { createStore } from './store/create-store.ts';
import type { Store } from './store/create-store.ts';

export type DashboardAnswer = { readonly status: number; readonly body: unknown };

export type Dashboard = (method: string, path: string, body?: unknown) => DashboardAnswer;

/** The parts of a simulator, wired together and not yet listening. */
export type AssembledSim = {
  readonly handle: WireHandler;
  readonly store: Store;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly state: SimState;
  readonly credentials: Credentials;
  readonly dashboard: Dashboard;
  readonly reset: () => void;
};

export function assembleSim(options: SimCloudflareOptions, clock: Clock): AssembledSim {
  const { random = Math.random, unconfiguredTunnel = 'empty', rateLimit = 'off' } = options;
  const world: World = { now: clock.now, ids: createIdSource(random), unconfiguredTunnel };
  const store = createStore(clock);
  const journal = createJournal();
  const faults = createFaultPlan({ random, keepHistory: store.keepHistory });
  const limit = createRateLimit(rateLimit === 'real' ? realRateLimit : rateLimit, clock);
  const credentials = createCredentials(options.tokens ?? [defaultToken], options.user ?? defaultUser, clock.now);
  const { latencyMs = 0, onCrash = () => {} } = options;
  const route = createRouter(allFamilies);
  const parts = { clock, world, store, credentials, limit, faults, journal, route, latencyMs, onCrash };
  const api = createApiHandler(parts);
  const begin = (): void => {
    const { accounts = defaultAccounts, zones = defaultZones } = options;
    store.clear();
    store.transact((draft) => seedState(draft, { accounts, zones, families: allFamilies }, world));
  };
  begin();
  return {
    handle: api.handle,
    store,
    journal,
    faults,
    state: createSimState(store, world),
    credentials,
    dashboard: createDashboard(api.edit),
    reset: () => {
      faults.clear();
      journal.clear();
      limit.reset();
      begin();
    },
  };
}

function createDashboard(edit: ApiHandler['edit']): Dashboard {
  return (method, path, body) => {
    const mark = path.indexOf('?');
    const answer = edit({
      method,
      path: `${apiPrefix}${mark < 0 ? path : path.slice(0, mark)}`,
      query: new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1)),
      headers: {},
      body: body === undefined ? '' : JSON.stringify(body),
    });
    if (answer.kind !== 'answer') throw new Error('the dashboard always gets an answer');
    return { status: answer.status, body: JSON.parse(answer.body) as unknown };
  };
}
