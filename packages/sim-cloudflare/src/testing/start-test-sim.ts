import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { startSimCloudflare } from '../start-sim-cloudflare.ts';
import type { SimCloudflare } from '../start-sim-cloudflare.ts';
import type { SimCloudflareOptions } from '../sim-options.ts';

/** An envelope with whatever is in it. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly result: any;
  readonly info: Readonly<Record<string, unknown>>;
  /** The codes of the errors, then those of their chains. */
  readonly codes: readonly number[];
  readonly text: string;
};

export type CallOptions = { readonly token?: string; readonly headers?: Record<string, string> };

export type TestSim = {
  readonly sim: SimCloudflare;
  readonly clock: SimulatedClock;
  readonly free: string;
  readonly paid: string;
  readonly account: string;
  readonly call: (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Answer>;
};

/** A simulator without a socket, on simulated time and with the same randomness every time. */
export async function startTestSim(options: SimCloudflareOptions = {}): Promise<TestSim> {
  const clock = createSimulatedClock();
  const sim = await startSimCloudflare({ listen: false, clock, random: seededRandom(7), ...options });
  return {
    sim,
    clock,
    free: sim.zones[0]?.id ?? '',
    paid: sim.zones[1]?.id ?? '',
    account: `/accounts/${sim.accountId}`,
    call: async (method, path, body, { token = sim.token, headers } = {}) => {
      const response = await sim.fetch(`${sim.url}${path}`, {
        method,
        headers: headers ?? { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return toAnswer(response);
    },
  };
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const envelope = (isJson ? JSON.parse(text) : {}) as {
    readonly result?: unknown;
    readonly result_info?: Readonly<Record<string, unknown>>;
    readonly errors?: readonly { readonly code: number; readonly error_chain?: readonly { readonly code: number }[] }[];
  };
  const errors = envelope.errors ?? [];
  const codes = [
    ...errors.map(({ code }) => code),
    ...errors.flatMap(({ error_chain: chain = [] }) => chain.map(({ code }) => code)),
  ];
  return {
    status: response.status,
    headers: response.headers,
    result: envelope.result,
    info: envelope.result_info ?? {},
    codes,
    text,
  };
}

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
