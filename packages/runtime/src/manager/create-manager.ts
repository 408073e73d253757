import type { ObjectCache } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import type { LeaderElector } from '../leader/leader-elector.ts';
import type { Log } from '../log.ts';
import { isOperatorError } from '../operator-error.ts';
import { parseBindAddress } from './bind-address.ts';
import { toHealthReport } from './health-report.ts';
import type { HealthChecks, HealthReport } from './health-report.ts';
import { startHealthServer, toHealthHandler } from './health-server.ts';
import type { HttpHandler } from './health-server.ts';
import { createPartList } from './part-list.ts';
import type { PartList } from './part-list.ts';
import type { Runnable } from './runnable.ts';

export type ManagerOptions = {
  readonly runnables: readonly Runnable[];
  /** Where `/healthz`, `/readyz` and `handlers` answer; `:8081` when absent, `0` for nowhere. */
  readonly healthAddress?: string;
  /** By exact path, for example `/metrics`. */
  readonly handlers?: Readonly<Record<string, HttpHandler>>;
  /** Checks of your own for `/readyz`. */
  readonly readyChecks?: HealthChecks;
  /** How long everything may take to stop; 30 s when absent. */
  readonly shutdownTimeoutMs?: number;
  /** An event loop that was blocked for longer is not healthy; 5 s when absent. */
  readonly maxLoopDelayMs?: number;
};

export type ManagerDeps = {
  readonly caches: readonly ObjectCache[];
  /** Without one, what runs on the leader runs at once: the process has no rivals. */
  readonly elector?: Pick<LeaderElector, 'run'>;
  /** The longest time that the event loop was blocked of late. */
  readonly loopDelayMs?: () => number;
  readonly clock: Clock;
  readonly log: Log;
};

export type Manager = {
  /**
   * Runs until the signal is aborted, then stops everything and resolves. Rejects when a part fails, when leadership
   * is lost (at once: nothing may be written any more), and when something does not stop in time, naming it.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly health: () => HealthReport;
  readonly readiness: () => HealthReport;
  /** Where the health server listens, once it does. */
  readonly healthPort: () => number | undefined;
};

const defaults = { healthAddress: ':8081', shutdownTimeoutMs: 30_000, maxLoopDelayMs: 5000 };
type Settings = ManagerOptions & typeof defaults;
type State = { phase: 'new' | 'running' | 'stopping'; stoppingSince: number; healthPort: number | undefined };

/**
 * Order of start: health server, caches, what runs always, then (caches complete) the election, and what runs on the
 * leader. Order of stop: all runnables together while caches and lease live on, then the lease, the caches, the server.
 */
export function createManager(options: ManagerOptions, deps: ManagerDeps): Manager {
  const settings = { ...defaults, ...options };
  const state: State = { phase: 'new', stoppingSince: 0, healthPort: undefined };
  const health = (): HealthReport => toHealthReport('healthz', healthChecks(settings, deps, state));
  const readiness = (): HealthReport => toHealthReport('readyz', readyChecks(settings, deps, state));
  return {
    run: async (signal) => {
      const address = parseBindAddress(settings.healthAddress);
      const handlers = {
        '/healthz': toHealthHandler(health),
        '/livez': toHealthHandler(health),
        '/readyz': toHealthHandler(readiness),
        ...settings.handlers,
      };
      const server = address && (await startHealthServer(address, handlers, deps.log));
      state.healthPort = server?.port;
      try {
        await runParts(settings, deps, state, signal);
      } finally {
        await server?.close();
        state.healthPort = undefined;
      }
    },
    health,
    readiness,
    healthPort: () => state.healthPort,
  };
}

function healthChecks(settings: Settings, { loopDelayMs, clock }: ManagerDeps, state: State): HealthChecks {
  return {
    'event-loop': () => {
      const delayMs = loopDelayMs?.() ?? 0;
      return delayMs > settings.maxLoopDelayMs ? `blocked for ${Math.round(delayMs)} ms` : undefined;
    },
    shutdown: () => {
      const hangs = state.phase === 'stopping' && clock.monotonic() - state.stoppingSince > settings.shutdownTimeoutMs;
      return hangs ? `not done after ${settings.shutdownTimeoutMs} ms` : undefined;
    },
  };
}

function readyChecks(settings: Settings, { caches }: ManagerDeps, { phase }: State): HealthChecks {
  return {
    running: () => (phase === 'running' ? undefined : phase === 'new' ? 'not started' : 'shutting down'),
    caches: () => {
      const unhealthy = caches.flatMap((cache) => cache.unhealthy());
      return unhealthy.length > 0 ? `not complete or not watching: ${unhealthy.join(', ')}` : undefined;
    },
    ...settings.readyChecks,
  };
}

async function runParts(settings: Settings, deps: ManagerDeps, state: State, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const caches = new AbortController();
  const beginStop = (): void => {
    if (state.phase === 'stopping') return;
    state.phase = 'stopping';
    state.stoppingSince = deps.clock.monotonic();
    deps.log.info({}, 'stopping');
    stop.abort();
  };
  const parts = createPartList(deps, beginStop);
  state.phase = 'running';
  if (signal.aborted) beginStop();
  signal.addEventListener('abort', beginStop, { once: true });
  try {
    for (const cache of deps.caches) cache.start(caches.signal);
    for (const runnable of settings.runnables) {
      if (runnable.runs === 'always') void parts.start(runnable.name, async () => runnable.run(stop.signal));
    }
    const leading = settings.runnables.filter(({ runs }) => runs === 'leader');
    if (leading.length > 0) void parts.start('leader election', async () => lead(leading, deps, parts, stop.signal));
    await parts.allEnded(stop.signal, settings.shutdownTimeoutMs);
  } finally {
    signal.removeEventListener('abort', beginStop);
    beginStop();
    caches.abort();
  }
}

/** Warm caches first: who wins the lease must be able to work at once. */
async function lead(
  runnables: readonly Runnable[],
  deps: ManagerDeps,
  parts: PartList,
  stop: AbortSignal,
): Promise<void> {
  const { caches, elector, log } = deps;
  const isThrough = tellWhileWaiting(deps);
  try {
    // What a part has asked for since, and cannot have, must not keep the whole process from leading.
    await Promise.all(caches.map(async (cache) => cache.waitForSync(stop, [])));
  } catch (error) {
    if (stop.aborted) return;
    throw error;
  } finally {
    isThrough();
  }
  const runAll = async (signal: AbortSignal): Promise<void> => {
    await Promise.all(runnables.map(async ({ name, run }) => parts.start(name, async () => run(signal))));
  };
  if (!elector) return runAll(stop);
  await elector.run(stop, async ({ signal }) => {
    signal.addEventListener('abort', () => {
      const reason: unknown = signal.reason;
      if (isOperatorError(reason) && reason.code === 'leader/lost') parts.giveUp(reason);
    });
    await runAll(signal);
  });
  log.info({}, 'no longer leading');
}

const tellAfterMs = 10_000;
const tellAgainMs = 60_000;

/** A process that waits for a kind that is not installed looks like one that hangs: it says what it waits for. */
function tellWhileWaiting({ caches, clock, log }: ManagerDeps): () => void {
  const tell = (): void => {
    const waitsFor = caches.flatMap((cache) => cache.unhealthy());
    log.warn({ waitsFor }, 'waits for its caches: these kinds are not installed, or may not be listed, or take long');
    cancel = clock.after(tellAgainMs, tell);
  };
  let cancel = clock.after(tellAfterMs, tell);
  return () => cancel();
}
