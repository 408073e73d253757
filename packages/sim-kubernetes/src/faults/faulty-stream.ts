import type { Clock } from '@tributary/runtime/clock';
import { expired } from '../registry/api-error.ts';
import type { ApiResponse, StreamSink } from '../http/api-request.ts';
import { toLine } from '../http/encode-object.ts';
import type { StreamFault } from './fault-rule.ts';

type StreamResponse = Extract<ApiResponse, { readonly kind: 'stream' }>;
type SinkLayer = (sink: StreamSink, stop: () => void) => StreamSink;

export type StreamFaultDeps = { readonly clock: Clock; readonly random: () => number };

/** The stream of a watch with a fault in it. Every write of a watch is one event. */
export function withStreamFault(response: StreamResponse, fault: StreamFault, deps: StreamFaultDeps): StreamResponse {
  const layer = layerOf(fault, deps);
  return {
    ...response,
    open: (sink) => {
      const stops: (() => void)[] = [];
      const stopSource = (): void => stops.splice(0).forEach((stop) => stop());
      let over = false;
      const faulty = layer(sink, () => {
        over = true;
        stopSource();
      });
      stops.push(response.open(faulty));
      // The fault may have ended the stream while it was being opened.
      if (over) stopSource();
      return stopSource;
    },
  };
}

function layerOf(fault: StreamFault, deps: StreamFaultDeps): SinkLayer {
  switch (fault.kind) {
    case 'stall':
      return stalled(fault.afterEvents ?? 0);
    case 'watch-expired':
      return brokenAfter(fault.afterEvents ?? 0, (sink) => {
        const error = expired('too old resource version: the history was lost on purpose');
        sink.write(toLine('ERROR', JSON.stringify(error.toStatus())));
        sink.end();
      });
    case 'watch-reset':
      return brokenAfter(fault.afterEvents, (sink) => sink.reset());
    case 'drop-events':
      return (sink) => ({ ...sink, write: (chunk) => deps.random() < fault.chance || sink.write(chunk) });
    case 'delay-events':
      return delayed(fault, deps);
    default:
      return fault satisfies never;
  }
}

/** Half-open: the reader sees nothing any more, not even the end. */
function stalled(afterEvents: number): SinkLayer {
  return (sink) => {
    let events = 0;
    const passes = (): boolean => events < afterEvents;
    return {
      write: (chunk) => {
        const pass = passes();
        events++;
        return pass ? sink.write(chunk) : true;
      },
      end: () => passes() && sink.end(),
      reset: () => passes() && sink.reset(),
    };
  };
}

function brokenAfter(afterEvents: number, breakOff: (sink: StreamSink) => void): SinkLayer {
  return (sink, stop) => {
    let events = 0;
    let broken = false;
    const breakNow = (): void => {
      if (broken) return;
      broken = true;
      stop();
      breakOff(sink);
    };
    if (afterEvents === 0) queueMicrotask(breakNow);
    return {
      ...sink,
      write: (chunk) => {
        if (broken) return false;
        const written = sink.write(chunk);
        events++;
        if (events >= afterEvents) breakNow();
        return written && !broken;
      },
      end: () => void (broken || sink.end()),
    };
  };
}

function delayed(
  fault: Extract<StreamFault, { readonly kind: 'delay-events' }>,
  { clock, random }: StreamFaultDeps,
): SinkLayer {
  return (sink) => {
    let last = 0;
    // Jitter must not let an event overtake the one before it.
    const later = (act: () => void): void => {
      const now = clock.monotonic();
      last = Math.max(last, now + fault.ms + random() * (fault.jitterMs ?? 0));
      clock.after(last - now, act);
    };
    return {
      write: (chunk) => {
        later(() => void sink.write(chunk));
        return true;
      },
      end: () => later(() => sink.end()),
      reset: () => later(() => sink.reset()),
    };
  };
}
