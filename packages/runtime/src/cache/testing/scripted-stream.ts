import type { KubeStatus, WatchEvent, WatchOptions } from '../../client/kube-client.ts';
import type { Clock } from '../../clock.ts';
import { OperatorError } from '../../operator-error.ts';
import type { AnyObject } from '../../object.ts';
import type { HistoryEntry, ScriptedHistory } from './scripted-history.ts';

/** One open watch, seen from the server, with every way to spoil it. */
export type ScriptedStream = {
  readonly options: WatchOptions;
  readonly open: () => boolean;
  /** Sends what has happened since it last sent. */
  readonly pump: () => void;
  readonly bookmark: () => void;
  /** Sends something that is not in the history. */
  readonly send: (event: unknown) => void;
  readonly error: (status: KubeStatus) => void;
  /** Sends the last few events once more. */
  readonly repeat: (count: number) => void;
  readonly close: () => void;
  readonly reset: () => void;
  /** The client meets a line that is no event. */
  readonly garbage: () => void;
  /** From now on nothing comes, not even the end. */
  readonly stall: () => void;
};

export type StreamDeps = {
  readonly clock: Clock;
  readonly history: ScriptedHistory;
  readonly toVersion: (revision: number) => string;
  readonly onEvent: (event: WatchEvent) => void;
  readonly settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
};

const bookmarkEveryMs = 60_000;

export function createScriptedStream(options: WatchOptions, from: number, deps: StreamDeps): ScriptedStream {
  const { history } = deps;
  let sentTo = from;
  let open = true;
  let stalled = false;
  const ending = createEnding(options, deps, () => (open = false));

  const send = (event: unknown): void => {
    if (!open || stalled) return;
    ending.alive();
    deps.onEvent(structuredClone(event) as WatchEvent);
  };
  const bookmark = (): void =>
    send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: deps.toVersion(sentTo) } } });
  const sendEntry = ({ type, object, revision }: HistoryEntry): void => {
    if (!open || stalled) return;
    sentTo = revision;
    send({ type, object });
  };
  if (options.allowWatchBookmarks) ending.every(bookmarkEveryMs, bookmark);
  ending.closeAfterTimeout(() => stalled);

  return {
    options,
    open: () => open,
    pump: () => {
      if (!open || stalled) return;
      for (const entry of history.since(sentTo)) sendEntry(entry);
      if (open && !stalled) sentTo = Math.max(sentTo, history.revision());
    },
    bookmark,
    send,
    error: (status) => send({ type: 'ERROR', object: status }),
    repeat: (count) => {
      const unsent = history.since(sentTo).length;
      const sent = history.all().slice(-count - unsent, history.all().length - unsent);
      for (const { type, object } of sent) send({ type, object });
    },
    close: ending.close,
    reset: () => ending.fail(new OperatorError('kube/unreachable', 'the connection was reset', { kind: 'backoff' })),
    garbage: () =>
      ending.fail(new OperatorError('kube/bad-watch-line', 'a line that is no event', { kind: 'backoff' })),
    stall: () => void (stalled = true),
  };
}

/** The initial events of a watch-list, with the bookmark that ends them where the server knows it. */
export function sendInitialEvents(
  stream: ScriptedStream,
  objects: readonly AnyObject[],
  end: { readonly resourceVersion: string } | undefined,
): void {
  for (const object of objects) stream.send({ type: 'ADDED', object });
  if (!end) return;
  stream.send({
    type: 'BOOKMARK',
    object: { metadata: { ...end, annotations: { 'k8s.io/initial-events-end': 'true' } } },
  });
}

type Ending = {
  readonly alive: () => void;
  readonly close: () => void;
  readonly fail: (error: unknown) => void;
  readonly every: (ms: number, act: () => void) => void;
  readonly closeAfterTimeout: (stalled: () => boolean) => void;
};

/** The client's side of the end: idle timeout, abort, and settling once. */
function createEnding(options: WatchOptions, { clock, settle }: StreamDeps, onEnd: () => void): Ending {
  const timers = new Set<() => void>();
  let cancelIdle: (() => void) | undefined;
  const end = (how: () => void): void => {
    for (const cancel of timers) cancel();
    cancelIdle?.();
    options.signal?.removeEventListener('abort', onAbort);
    onEnd();
    how();
  };
  const onAbort = (): void => end(() => settle.reject(options.signal?.reason));
  const fail = (error: unknown): void => end(() => settle.reject(error));
  const alive = (): void => {
    cancelIdle?.();
    if (options.idleTimeoutMs === undefined) return;
    cancelIdle = clock.after(options.idleTimeoutMs, () =>
      fail(new OperatorError('kube/unreachable', 'the connection is silent', { kind: 'backoff' })),
    );
  };
  options.signal?.addEventListener('abort', onAbort, { once: true });
  alive();
  return {
    alive,
    fail,
    close: () => end(settle.resolve),
    every: (ms, act) => {
      let cancel: () => void;
      const arm = (): void => {
        cancel = clock.after(ms, () => {
          arm();
          act();
        });
      };
      arm();
      timers.add(() => cancel());
    },
    closeAfterTimeout: (stalled) => {
      const ms = (options.timeoutSeconds ?? 1800) * 1000;
      timers.add(clock.after(ms, () => void (stalled() || end(settle.resolve))));
    },
  };
}
