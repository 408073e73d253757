import type { Clock } from '@tributary/runtime/clock';
import { allActions } from './actions/all-actions.ts';
import { createDashboard } from './control/create-dashboard.ts';
import type { Dashboard } from './control/create-dashboard.ts';
import { createSimState } from './control/create-sim-state.ts';
import type { SimState } from './control/create-sim-state.ts';
import { createInProcessCall } from './create-in-process-call.ts';
import type { InProcessCall } from './create-in-process-call.ts';
import { createCredentials } from './credentials/create-credentials.ts';
import type { Credentials } from './credentials/create-credentials.ts';
import { createMetadata } from './credentials/create-metadata.ts';
import { defaultAccountId } from './default-account-id.ts';
import { createEstate } from './estate/create-estate.ts';
import { createFaultPlan } from './faults/create-fault-plan.ts';
import type { FaultPlan } from './faults/create-fault-plan.ts';
import { createRpcWire } from './http/create-rpc-wire.ts';
import type { WireHandler } from '@tributary/sim-kit';
import { createIdSource } from './ids/create-id-source.ts';
import { createJournal } from './journal/create-journal.ts';
import type { Journal } from './journal/create-journal.ts';
import { isRegion } from './regions.ts';
import { createRpcHandler } from './rpc/create-rpc-handler.ts';
import { createThrottle } from './rpc/create-throttle.ts';
import { createTokenMemory } from './rpc/create-token-memory.ts';
import { createNonceMemory } from './signature/create-nonce-memory.ts';
import { defaultAccessKey, defaultDelays, defaultQuotas } from './sim-options.ts';
import type { SimAlibabaOptions } from './sim-options.ts';
import type { World } from './world.ts';

/** The parts of a simulator, wired together and not yet listening. */
export type AssembledSim = {
  readonly wire: WireHandler;
  readonly call: InProcessCall;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly state: SimState;
  readonly credentials: Credentials;
  readonly dashboard: Dashboard;
  readonly reset: () => void;
};

export function assembleSim(options: SimAlibabaOptions, regionId: string, clock: Clock): AssembledSim {
  const { random = Math.random, latencyMs = 0, onCrash = () => {}, limits = 'off', replayRefusals = true } = options;
  const [defaultKey = defaultAccessKey] = options.accessKeys ?? [];
  const ids = createIdSource(random);
  const delays = { ...defaultDelays, ...options.delays };
  const quotas = { ...defaultQuotas, ...options.quotas };
  const credentials = createCredentials(options.accessKeys ?? [defaultAccessKey], { clock, ids });
  const estate = createEstate(clock);
  const world: World = {
    now: clock.now,
    ids,
    estate,
    sessions: credentials,
    delays,
    quotas,
    roles: options.roles,
    isRegion: (region) => region === regionId || isRegion(region),
  };
  const journal = createJournal();
  const faults = createFaultPlan({ random });
  const throttle = createThrottle(limits, clock);
  const tokens = createTokenMemory({ memoryMs: delays.tokenMemoryMs, replayRefusals }, clock);
  const nonces = createNonceMemory(clock);
  const parts = { clock, world, actions: allActions, throttle, faults, tokens, journal, regionId, latencyMs, onCrash };
  const handle = createRpcHandler(parts);
  const accountId = defaultKey.accountId ?? defaultAccountId;
  const dashboard = createDashboard(world, { regionId, accountId });
  const begin = (): void => options.packages?.forEach((given) => dashboard.createPackage(given));
  begin();
  const metadata = createMetadata(options.ecsRole ?? {}, { clock, ids, sessions: credentials, accountId });
  return {
    wire: createRpcWire({ handle, metadata, credentials, nonces, now: clock.now }),
    call: createInProcessCall({ handle, credentials, defaultKey }),
    journal,
    faults,
    state: createSimState(estate),
    credentials,
    dashboard,
    reset: () => {
      for (const part of [estate, faults, journal, tokens, nonces]) part.clear();
      throttle.reset();
      begin();
    },
  };
}
