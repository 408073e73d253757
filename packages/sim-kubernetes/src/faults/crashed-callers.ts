import type { ApiResponse, StreamSink } from '../http/api-request.ts';
import { ConnectionReset } from '../http/connection-reset.ts';

/** Callers that are dead for the server: nothing of theirs gets through, and their streams are cut. */
export type CrashedCallers = {
  readonly crash: (caller: string) => void;
  readonly revive: (caller: string) => void;
  readonly isDead: (caller: string) => boolean;
  readonly check: (caller: string) => void;
  /** Keeps hold of a stream, to cut it when its caller dies. */
  readonly follow: (caller: string, response: ApiResponse) => ApiResponse;
};

export function createCrashedCallers(): CrashedCallers {
  const dead = new Set<string>();
  const streams = new Map<string, Set<() => void>>();
  return {
    crash: (caller) => {
      dead.add(caller);
      for (const cut of streams.get(caller) ?? []) cut();
      streams.delete(caller);
    },
    revive: (caller) => void dead.delete(caller),
    isDead: (caller) => dead.has(caller),
    check: (caller) => {
      if (dead.has(caller)) throw new ConnectionReset(`the caller ${caller} has crashed`);
    },
    follow: (caller, response) => {
      if (response.kind !== 'stream') return response;
      return { ...response, open: (sink) => openFollowed(response.open, sink, cutsOf(streams, caller)) };
    },
  };
}

function cutsOf(streams: Map<string, Set<() => void>>, caller: string): Set<() => void> {
  let cuts = streams.get(caller);
  if (cuts === undefined) streams.set(caller, (cuts = new Set()));
  return cuts;
}

function openFollowed(open: (sink: StreamSink) => () => void, sink: StreamSink, cuts: Set<() => void>): () => void {
  const cut = (): void => {
    stop();
    sink.reset();
  };
  const close = open({
    ...sink,
    end: () => {
      cuts.delete(cut);
      sink.end();
    },
  });
  const stop = (): void => {
    cuts.delete(cut);
    close();
  };
  cuts.add(cut);
  return stop;
}
