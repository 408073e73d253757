import { systemClock } from '@tributary/runtime/clock';
import { assembleSim } from './assemble-sim.ts';
import { controlPrefix, createControlHandler } from './control/create-control-handler.ts';
import type { Dashboard } from './control/create-dashboard.ts';
import type { SimState } from './control/create-sim-state.ts';
import type { InProcessCall } from './create-in-process-call.ts';
import type { Credentials } from './credentials/create-credentials.ts';
import type { FaultPlan } from './faults/create-fault-plan.ts';
import { serve } from '@tributary/sim-kit';
import type { WireHandler } from '@tributary/sim-kit';
import type { Journal } from './journal/create-journal.ts';
import { defaultAccessKey } from './sim-options.ts';
import type { SimAlibabaOptions } from './sim-options.ts';

/** What a client needs to begin. */
type Welcome = {
  readonly url: string;
  /** Host and port, as SDKs want an endpoint. */
  readonly endpoint: string;
  readonly regionId: string;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
};

export type SimAlibaba = Welcome & {
  /** The same API without a socket and without a signature, on the simulator's clock alone. */
  readonly call: InProcessCall;
  readonly journal: Omit<Journal, 'record'>;
  readonly faults: Omit<FaultPlan, 'draw'>;
  readonly state: SimState;
  readonly dashboard: Dashboard;
  readonly credentials: Pick<Credentials, 'add' | 'revoke' | 'issue'>;
  /** As at the start: state, faults, journal, tokens and budgets. Credentials stay. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

/** Where a simulator without a socket seems to be. */
const socketless = 'vpc.simulator';

export async function startSimAlibaba(options: SimAlibabaOptions = {}): Promise<SimAlibaba> {
  const { clock = systemClock, host = '127.0.0.1', port = 0, regionId = 'cn-hangzhou', tls } = options;
  const sim = assembleSim(options, regionId, clock);
  const { call, journal, faults, state, credentials, dashboard, reset } = sim;
  const [key = defaultAccessKey] = options.accessKeys ?? [];
  const at = { regionId, accessKeyId: key.id, accessKeySecret: key.secret };
  const where = (endpoint: string): Welcome => ({ url: `${tls ? 'https' : 'http'}://${endpoint}`, endpoint, ...at });
  let welcome = where(socketless);
  const control = createControlHandler({ journal, faults, state, dashboard, reset, welcome: () => welcome });
  const handler: WireHandler = async (request) =>
    request.path.startsWith(controlPrefix) ? control(request) : sim.wire(request);
  const listening = options.listen === false ? undefined : await serve(handler, { port, host, tls }, clock);
  if (listening) welcome = where(`${host}:${listening.port}`);
  return {
    ...welcome,
    call,
    journal,
    faults,
    state,
    dashboard,
    credentials,
    reset,
    stop: async () => listening?.close(),
  };
}
