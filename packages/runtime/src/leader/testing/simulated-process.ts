import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { HttpRequest, HttpResponse, Transport } from '../../client/transport.ts';
import type { Clock } from '../../clock.ts';

export type NetworkFate = {
  /** From the call until a connection is there: the request has not left the process yet. */
  readonly connectMs: number;
  readonly thereMs: number;
  readonly backMs: number;
  readonly lost?: 'request' | 'answer' | undefined;
};

/** A process with clocks of its own, that can be frozen and killed. Nothing of a frozen one runs until it resumes. */
export type SimulatedProcess = {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly kill: () => void;
  readonly frozen: () => boolean;
  readonly alive: () => boolean;
};

export type SimulatedProcessOptions = {
  readonly world: SimulatedClock;
  readonly server: { readonly handle: (request: HttpRequest) => HttpResponse };
  readonly fate: () => NetworkFate;
  readonly random: () => number;
  /** Of the monotonic clock: 1.001 runs fast by a thousandth. */
  readonly rate?: number;
  readonly wallSkewMs?: number;
};

export function createSimulatedProcess(options: SimulatedProcessOptions): SimulatedProcess {
  const { world, random, rate = 1, wallSkewMs = 0 } = options;
  const bootedMs = world.monotonic() - random() * 1_000_000;
  let backlog: (() => void)[] = [];
  let frozen = false;
  let alive = true;

  const deliver = (event: () => void): void => {
    if (!alive) return;
    if (frozen) backlog.push(event);
    else event();
  };
  const clock: Clock = {
    now: () => world.now() + wallSkewMs,
    monotonic: () => (world.monotonic() - bootedMs) * rate,
    after: (ms, fire) => world.after(Math.max(ms, 0) / rate, () => deliver(fire)),
  };
  return {
    clock,
    transport: createTransport(options, deliver),
    freeze: () => (frozen = true),
    resume: () => {
      frozen = false;
      // A timer that was due may come before or after an answer that was waiting: any order must be safe.
      const waiting = backlog.map((event) => ({ event, place: random() }));
      backlog = [];
      for (const { event } of waiting.toSorted((left, right) => left.place - right.place)) {
        world.after(0, () => deliver(event));
      }
    },
    kill: () => (alive = false),
    frozen: () => frozen,
    alive: () => alive,
  };
}

function createTransport(
  { world, server, fate }: SimulatedProcessOptions,
  deliver: (event: () => void) => void,
): Transport {
  const request = async (sent: HttpRequest): Promise<HttpResponse> => {
    sent.signal?.throwIfAborted();
    const { connectMs, thereMs, backMs, lost } = fate();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(sent.signal?.reason as Error);
      sent.signal?.addEventListener('abort', giveUp, { once: true });
      const arrive = (): void => {
        if (lost === 'request') return;
        const answer = server.handle(sent);
        if (lost !== 'answer') world.after(backMs, () => deliver(() => resolve(answer)));
      };
      const leave = (): void => {
        if (sent.signal?.aborted) return;
        sent.beforeSend?.();
        // From here on it is in the network: freezing or killing the sender changes nothing.
        world.after(thereMs, arrive);
      };
      world.after(connectMs, () => deliver(() => void Promise.try(leave).catch(reject)));
    });
  };
  return { request, stream: async () => Promise.reject(new Error('no streams here')), close: async () => undefined };
}
