import { connect, createOpenFence } from '@tributary/runtime';
import type { Connection, Fence } from '@tributary/runtime';
import type { Cluster } from '@tributary/sim-kubernetes';
import type { SimulatedClock } from '@tributary/testkit';
import type { CredentialsRef } from '../../l4-state/sync-state.ts';
import { createSyncController } from '../sync-controller.ts';
import type { SyncControllerDeps, SyncControllerOptions } from '../sync-controller.ts';

/** What is needed of a provider to run layer 5 against it. */
export type WorldProvider = {
  /** `isDead`: the process that uses this client has crashed; nothing it sends may arrive. */
  readonly clientFor: (isDead: () => boolean) => SyncControllerDeps['clientFor'];
  /** Calls `kill` at the nth write from now, before or after its effect. The returned function tells whether it did. */
  readonly crashAt: (nth: number, when: 'before' | 'after', kill: () => void) => () => boolean;
};

export type ProcessOptions = Pick<SyncControllerOptions, 'targets'> &
  Partial<Omit<SyncControllerOptions, 'targets'>> & {
    readonly credentialFor?: SyncControllerDeps['credentialFor'];
    readonly fence?: (signal: AbortSignal) => Pick<Fence, 'check'>;
  };

/** One process of layer 5 that leads. */
export type Process = {
  readonly userAgent: string;
  readonly connection: Connection;
  /** As if the power went: nothing more of it reaches anybody. */
  readonly kill: () => void;
  readonly stop: () => Promise<void>;
  readonly isDead: () => boolean;
  /** Tells it that credentials have changed. */
  readonly credentialsChanged: (ref: CredentialsRef) => void;
};

export type KubeWrite = { readonly method: string; readonly path: string; readonly userAgent: string };

export type ProcessDeps = {
  readonly clock: SimulatedClock;
  readonly cluster: Cluster;
  readonly provider: WorldProvider;
  readonly kubeWrites: KubeWrite[];
};

export const operatorNamespace = 'cloudflare-operator-system';

export function startProcess(userAgent: string, options: ProcessOptions, deps: ProcessDeps): Process {
  const { cluster, provider } = deps;
  const stop = new AbortController();
  const listeners = new Set<(ref: CredentialsRef) => void>();
  const connection = connectAs(userAgent, deps);
  const isDead = (): boolean => stop.signal.aborted || cluster.faults.isCrashed(userAgent);
  const parts = createSyncController(
    { operatorNamespace, driftMs: 0, ...options },
    {
      connection,
      credentialFor: options.credentialFor ?? (async () => ({ ok: true, value: { kind: 'token', token: 'toy' } })),
      clientFor: provider.clientFor(isDead),
      fence: options.fence?.(stop.signal) ?? createOpenFence(stop.signal),
      onCredentialChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  );
  connection.cache.start(stop.signal);
  const ended = Promise.allSettled(parts.map(async (part) => part.run(stop.signal)));
  return {
    userAgent,
    connection,
    isDead,
    kill: () => {
      cluster.faults.crash(userAgent);
      stop.abort();
    },
    stop: async () => {
      stop.abort();
      await ended;
    },
    credentialsChanged: (ref) => listeners.forEach((listener) => listener(ref)),
  };
}

function connectAs(userAgent: string, { clock, cluster, kubeWrites }: ProcessDeps): Connection {
  const inner = cluster.transport({ headers: { 'user-agent': userAgent } });
  const transport: typeof inner = {
    ...inner,
    request: async (request) => {
      if (request.method !== 'GET') kubeWrites.push({ method: request.method, path: request.path, userAgent });
      return inner.request(request);
    },
  };
  return connect({ transport, clock, random: () => 0.5, freeze: true, userAgent });
}
