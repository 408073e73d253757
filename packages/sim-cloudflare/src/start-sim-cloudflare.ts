import { systemClock } from '@tributary/runtime/clock';
import { apiPrefix, createApiHandler } from './api/create-api-handler.ts';
import { createCredentials } from './api/credentials.ts';
import type { Credentials } from './api/credentials.ts';
import { createRateLimit, realRateLimit } from './api/create-rate-limit.ts';
import { createRouter } from './api/create-router.ts';
import type { World } from './api/route.ts';
import { controlPrefix, createControlHandler } from './control/create-control-handler.ts';
import { createSimState } from './control/create-sim-state.ts';
import type { SimState } from './control/create-sim-state.ts';
import { allFamilies } from './families/all-families.ts';
import { zones } from './families/zones/zone.ts';
import type { Plan } from './families/zones/zone.ts';
import { createFaultPlan } from './faults/create-fault-plan.ts';
import type { FaultPlan } from './faults/create-fault-plan.ts';
import { createInProcessFetch } from './http/create-in-process-fetch.ts';
import type { Fetch } from './http/create-in-process-fetch.ts';
import { serve } from './http/serve.ts';
import type { WireHandler } from './http/wire.ts';
import { createIdSource } from './ids/create-id-source.ts';
import { createJournal } from './journal/create-journal.ts';
import type { Journal } from './journal/create-journal.ts';
import { accountIdOf, seedState } from './seed-state.ts';
import { defaultAccounts, defaultToken, defaultUser, defaultZones } from './sim-options.ts';
import type { SimCloudflareOptions } from './sim-options.ts';
import { createStore } from './store/create-store.ts';
import type { Store } from './store/create-store.ts';
import { globalScope } from './store/table.ts';

export type SimZone = {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly accountId: string;
};

export type DashboardAnswer = { readonly status: number; readonly body: unknown };

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
  readonly dashboard: (method: string, path: string, body?: unknown) => DashboardAnswer;
  /** As at the start: state, faults, journal and budgets. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

/** Where a simulator without a socket seems to be. */
const socketless = 'http://cloudflare.simulator';

export async function startSimCloudflare(options: SimCloudflareOptions = {}): Promise<SimCloudflare> {
  const { clock = systemClock, random = Math.random, host = '127.0.0.1', port = 0 } = options;
  const world: World = {
    now: clock.now,
    ids: createIdSource(random),
    unconfiguredTunnel: options.unconfiguredTunnel ?? 'empty',
  };
  const store = createStore(clock);
  const journal = createJournal();
  const faults = createFaultPlan({ random, keepHistory: store.keepHistory });
  const limit = createRateLimit(options.rateLimit === 'real' ? realRateLimit : (options.rateLimit ?? 'off'), clock);
  const tokens = options.tokens ?? [defaultToken];
  const credentials = createCredentials(tokens, options.user ?? defaultUser, clock.now);
  const seed = createSeed(options, store, world);
  seed.lay();
  const api = createApiHandler({
    clock,
    world,
    store,
    credentials,
    limit,
    faults,
    journal,
    route: createRouter(allFamilies),
    latencyMs: options.latencyMs ?? 0,
    onCrash: options.onCrash ?? (() => {}),
  });
  const dashboard = createDashboard(api.edit);
  const reset = (): void => {
    faults.clear();
    journal.clear();
    limit.reset();
    seed.lay();
  };
  const state = createSimState(store, world);
  let url = `${socketless}${apiPrefix}`;
  const welcome = (): unknown => ({ url, accountId: seed.accountId, zones: seed.zones(), token: tokens[0]?.value });
  const control = createControlHandler({ journal, faults, state, edit: dashboard, reset, welcome });
  const handler: WireHandler = async (request) =>
    request.path.startsWith(controlPrefix) ? control(request) : api.handle(request);
  const listening = options.listen === false ? undefined : await serve(handler, { port, host }, clock);
  if (listening) url = `http://${host}:${listening.port}${apiPrefix}`;
  return {
    url,
    accountId: seed.accountId,
    zones: seed.zones(),
    token: tokens[0]?.value ?? '',
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

type Seeding = { readonly lay: () => void; readonly accountId: string; readonly zones: () => readonly SimZone[] };

function createSeed(options: SimCloudflareOptions, store: Store, world: World): Seeding {
  const accounts = options.accounts ?? defaultAccounts;
  const seed = { accounts, zones: options.zones ?? defaultZones, families: allFamilies };
  const [first] = accounts;
  return {
    accountId: first ? accountIdOf(first) : '',
    lay: () => {
      store.clear();
      store.transact((draft) => seedState(draft, seed, world));
    },
    zones: () =>
      [...store.read().rows(zones, globalScope).values()].map(({ id, name, plan, accountId }) => ({
        id,
        name,
        plan,
        accountId,
      })),
  };
}

function createDashboard(edit: ReturnType<typeof createApiHandler>['edit']): SimCloudflare['dashboard'] {
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
