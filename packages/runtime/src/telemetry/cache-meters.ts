import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { CacheObserver } from '../cache/cache-observer.ts';
import { requestBuckets } from './metric-buckets.ts';

/** What the informers do. client-go has dropped its metrics of reflectors, so these names are ours. */
export function createCacheMeters(registers: Registry[]): CacheObserver {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const lists = new Histogram({
    name: 'tributary_cache_list_duration_seconds',
    help: 'How long a full list of a kind took',
    labelNames: ['kind', 'via'],
    buckets: [...requestBuckets],
    registers,
  });
  const watches = counter('tributary_cache_watches_total', 'Watches that were started', 'kind');
  const events = counter('tributary_cache_events_total', 'Events that watches delivered', 'kind', 'type');
  const restarts = counter('tributary_cache_restarts_total', 'Lists and watches that came to an end', 'kind', 'reason');
  const garbage = counter('tributary_cache_garbage_total', 'Lines, events and answers that made no sense', 'kind');
  const failures = counter(
    'tributary_cache_listener_failures_total',
    'Listeners, indexes and transforms that threw',
    'kind',
  );
  return {
    listed: (kind, { via, durationMs }) => lists.observe({ kind, via }, durationMs / 1000),
    watchStarted: (kind) => watches.inc({ kind }),
    restarted: (kind, reason) => restarts.inc({ kind, reason }),
    event: (kind, type) => events.inc({ kind, type }),
    garbage: (kind) => garbage.inc({ kind }),
    listenerFailed: (kind) => failures.inc({ kind }),
  };
}
