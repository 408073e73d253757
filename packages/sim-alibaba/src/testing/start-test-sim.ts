import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import type { CallResult, InProcessCaller } from '../create-in-process-call.ts';
import { startSimAlibaba } from '../start-sim-alibaba.ts';
import type { SimAlibaba } from '../start-sim-alibaba.ts';
import type { SimAlibabaOptions } from '../sim-options.ts';

type Given = Readonly<Record<string, string>>;

export type TestSim = {
  readonly sim: SimAlibaba;
  readonly clock: SimulatedClock;
  /** A call in the simulator's region. */
  readonly call: (action: string, params?: Given, caller?: InProcessCaller) => Promise<CallResult>;
  /** The code of the refusal, empty when the call succeeded. */
  readonly codeOf: (action: string, params?: Given, caller?: InProcessCaller) => Promise<string>;
  /** A new pay-by-traffic address; its id. */
  readonly allocate: (params?: Given) => Promise<string>;
  /** The one item of Describe, or undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into items of every shape
  readonly describe: (allocationId: string) => Promise<any>;
};

/** A simulator without a socket, on simulated time and with the same randomness every time. */
export async function startTestSim(options: SimAlibabaOptions = {}): Promise<TestSim> {
  const clock = createSimulatedClock();
  const sim = await startSimAlibaba({ listen: false, clock, random: seededRandom(7), ...options });
  const call: TestSim['call'] = async (action, params = {}, caller) =>
    sim.call(action, { RegionId: sim.regionId, ...params }, caller);
  return {
    sim,
    clock,
    call,
    codeOf: async (...given) => {
      const { status, body } = await call(...given);
      return status === 200 ? '' : String(body.Code);
    },
    allocate: async (params = {}) => {
      const { status, body } = await call('AllocateEipAddress', { InternetChargeType: 'PayByTraffic', ...params });
      if (status !== 200) throw new Error(`refused: ${body.Code}`);
      return String(body.AllocationId);
    },
    describe: async (allocationId) => {
      const { body } = await call('DescribeEipAddresses', { AllocationId: allocationId });
      return body.EipAddresses.EipAddress[0];
    },
  };
}

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
