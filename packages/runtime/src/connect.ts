import { createObjectCache } from './cache/object-cache.ts';
import type { ObjectCacheOptions, SharedCache } from './cache/object-cache.ts';
import { createTrackedClient } from './cache/tracked-client.ts';
import { createKubeClient } from './client/create-kube-client.ts';
import type { KubeClient } from './client/kube-client.ts';
import type { Transport } from './client/transport.ts';
import { withAnswerHook } from './client/with-answer-hook.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { silentLog } from './log.ts';
import type { Log } from './log.ts';
import type { Metrics } from './telemetry/metrics.ts';

export type ConnectOptions = {
  readonly transport: Transport;
  /** Who we are in the server's audit log. */
  readonly userAgent?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** The server's host and port, for the labels of the metrics. */
  readonly host?: string;
  /** What the cache keeps of an object; everything but managed fields when absent. It may change the object it is given. */
  readonly transform?: ObjectCacheOptions['transform'];
  /** For tests: cached objects are frozen, so that whoever changes one is found. */
  readonly freeze?: boolean;
};

/** What a controller needs of one API server. Writes go through `client`, which the cache keeps track of. */
export type Connection = {
  readonly client: KubeClient;
  readonly cache: SharedCache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** What a controller counts, made for its name; there when the connection was given metrics. */
  readonly controllerMetrics?: Metrics['controller'];
};

/** Client and cache of one API server, wired the way every operator wires them. */
export function connect(options: ConnectOptions): Connection {
  const { clock = systemClock, random = Math.random, log = silentLog, metrics, freeze } = options;
  const hook = metrics && { host: options.host ?? '', onAnswer: metrics.client.onAnswer };
  const transport = hook ? withAnswerHook(options.transport, hook, clock) : options.transport;
  const client = createKubeClient({ transport, ...(options.userAgent && { userAgent: options.userAgent }) }, { clock });
  const cache = createObjectCache({
    client,
    clock,
    random,
    freeze,
    transform: options.transform,
    observer: metrics?.cache,
    onListenerError: (error, kind) => log.error({ err: error, kind }, 'a listener of the cache failed'),
  });
  const counted = metrics && { controllerMetrics: metrics.controller };
  return { client: createTrackedClient(client, cache), cache, clock, random, log, ...counted };
}
