import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** How late the event loop was since the last look, in milliseconds. */
export type LoopDelay = { readonly mean: number; readonly p50: number; readonly p99: number; readonly max: number };

export type EventLoopProbe = {
  /** Reads and starts afresh. */
  readonly take: () => LoopDelay;
  readonly stop: () => void;
};

const resolutionMs = 10;

/** Measures with the histogram of Node. A loop that stalls misses the renewal of its leases. */
export function createEventLoopProbe(): EventLoopProbe {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The histogram counts the time from tick to tick, so the rest of one is not delay.
  const toMs = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - resolutionMs) : 0;
  return {
    take: () => {
      const { mean, max } = histogram;
      const seen = {
        mean: toMs(mean),
        p50: toMs(histogram.percentile(50)),
        p99: toMs(histogram.percentile(99)),
        max: toMs(max),
      };
      histogram.reset();
      return seen;
    },
    stop: () => void histogram.disable(),
  };
}

export function addLoopDelayGauge(probe: EventLoopProbe, registers: Registry[]): void {
  void new Gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'How late the event loop was since the last scrape',
    labelNames: ['stat'],
    registers,
    collect() {
      for (const [stat, ms] of Object.entries(probe.take())) this.set({ stat }, ms / 1000);
    },
  });
}
