import type { Connection, Runnable } from '@tributary/runtime';
import { createBindingController } from './binding/binding-controller.ts';
import { createDownParts } from './down-parts.ts';
import { createEventsPart } from './events-part.ts';
import type { SyncerMetrics } from './metrics.ts';
import { openSides } from './open-sides.ts';
import type { OpenSides, SyncerStart } from './open-sides.ts';
import type { SyncerOptions } from './syncer-options.ts';
import { createEventMirror } from './up/event-mirror.ts';
import { createPodStatusController } from './up/pod-status-controller.ts';
import { createVnodeParts } from './vnode/create-vnode-parts.ts';
import { createPhysicalPing } from './vnode/physical-ping.ts';

export type SyncerDeps = {
  readonly virtual: Connection;
  readonly physical: Connection;
  /** What is counted, under the original's names. */
  readonly metrics?: SyncerMetrics;
  readonly instance?: string;
};

export type Syncer = {
  readonly sides: OpenSides;
  readonly runnables: readonly Runnable[];
  /** P answered the last question. */
  readonly physicalAnswers: () => boolean;
};

/** Everything that one binding needs: pods go down, their state comes up, virtual nodes stand for physical ones. */
export function createSyncer(options: SyncerOptions, start: SyncerStart, deps: SyncerDeps): Syncer {
  const { virtual, physical, metrics, instance } = deps;
  const ping = createPhysicalPing({}, { physical, clock: physical.clock, log: physical.log });
  const sides = openSides(options, start, {
    virtual,
    physical,
    physicalAnswers: ping.answers,
    ...(metrics && { counters: metrics.counters }),
    ...(instance !== undefined && { instance }),
  });
  const { timeZone, nodeAddress, prometheusPort, allEvents = false, manageBindingStatus = false } = options;
  const vnodes = createVnodeParts(
    {
      ...(timeZone !== undefined && { timeZone }),
      ...(nodeAddress !== undefined && { nodeAddress }),
      ...(prometheusPort !== undefined && { prometheusPort }),
    },
    { ...sides, ping },
  );
  metrics?.observe({ ...sides, occupancy: vnodes.occupancy });
  return {
    sides,
    physicalAnswers: ping.answers,
    runnables: [
      createEventsPart(sides.events),
      ping,
      ...createDownParts(sides, options),
      createPodStatusController({}, sides),
      createEventMirror({ all: allEvents }, sides),
      ...vnodes.runnables,
      createBindingController({ manageStatus: manageBindingStatus }, { ...sides, ping }),
    ],
  };
}
