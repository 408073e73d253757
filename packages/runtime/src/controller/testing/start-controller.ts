import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { defineKind } from '../../kind.ts';
import type { KubeObject } from '../../object.ts';
import type { ControllerSnapshot } from '../controller-metrics.ts';
import { createController } from '../create-controller.ts';
import type { ControllerOptions } from '../create-controller.ts';
import { settled } from '../outcome.ts';
import type { Reconcile } from '../reconcile-key.ts';
import { watch } from '../watch.ts';
import { createHandDrivenCache } from './hand-driven-cache.ts';
import { createRecordingLog } from './recording-log.ts';

export const pod = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
export const object = (name: string): KubeObject => ({ metadata: { namespace: 'n', name } });

/** A controller of pods on simulated time, and all that can be seen of it from outside. */
export function startController(
  reconcile: Reconcile,
  options: Partial<ControllerOptions> = {},
  { synced = true } = {},
) {
  const clock = createSimulatedClock();
  const cache = createHandDrivenCache();
  const { log, lines } = createRecordingLog();
  const runs: string[] = [];
  const told: unknown[] = [];
  let snapshot: (() => ControllerSnapshot) | undefined;
  const controller = createController(
    {
      name: 'test',
      watches: [watch(pod)],
      reconcile: async (key, context) => {
        runs.push(`${key} at ${clock.monotonic()}`);
        return reconcile(key, context);
      },
      ...options,
    },
    {
      cache,
      clock,
      log,
      random: () => 0.5,
      metrics: {
        reconciled: (result, ms) => told.push([result, ms]),
        failed: (failure) => told.push(failure),
        started: (read) => (snapshot = read),
      },
    },
  );
  const abort = new AbortController();
  const ended = controller.run(abort.signal);
  if (synced) cache.completeSync();
  return {
    clock,
    cache,
    lines,
    runs,
    told,
    controller,
    ended,
    stop: () => abort.abort(),
    snapshot: () => snapshot?.(),
  };
}

/** Resolves when it is told to, whatever its signal says. */
export function createDeaf() {
  const doors: (() => void)[] = [];
  const reconcile: Reconcile = async () => {
    await new Promise<void>((resolve) => {
      doors.push(resolve);
    });
    return settled;
  };
  return { reconcile, open: () => doors.shift()?.() };
}

/** Does nothing but listen to its signal. */
export const untilAborted: Reconcile = async (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
