import type { Runnable } from '@tributary/runtime';
import { claimCopies, configMapCopies, secretCopies, volumeCopies } from './engine/copy-kinds.ts';
import { createCopyController } from './engine/create-copy-controller.ts';
import { createPodController } from './engine/create-pod-controller.ts';
import { createDemand } from './engine/demand.ts';
import { createGuardedWrites } from './engine/guarded-writes.ts';
import { createPodCreator } from './engine/pod-creation.ts';
import { createReporter } from './engine/reporter.ts';
import { createTokenKeeper } from './engine/token-keeper.ts';
import type { Sides } from './sides.ts';
import type { SyncerOptions } from './syncer-options.ts';

const defaults = { podConcurrency: 64, schedulingTimeoutMs: 5 * 60_000, clusterDomain: 'cluster.local' };

/** Everything that brings pods and what they need from V to P, and takes it away again. */
export function createDownParts(sides: Sides, options: SyncerOptions): readonly Runnable[] {
  const writes = createGuardedWrites(sides);
  const reporter = createReporter(sides);
  const demand = createDemand(sides);
  const { ownership } = demand;
  const tokens = createTokenKeeper(sides, writes);
  const { redirection = 'auto', clusterDomain = defaults.clusterDomain, serviceVariables = true } = options;
  const telling = { redirection, clusterDomain, serviceVariables };
  const creator = createPodCreator(telling, { sides, ownership, tokens, reporter });
  const { csiSecretNamespaces = [], collectUnused = false } = options;
  const copy = { sides, demand, csiSecretNamespaces, collectUnused };
  const deps = { sides, writes, reporter };
  const { podConcurrency: concurrency = defaults.podConcurrency } = options;
  const { schedulingTimeoutMs = defaults.schedulingTimeoutMs } = options;
  return [
    createPodController({ concurrency, schedulingTimeoutMs }, { ...deps, ownership, demand, tokens, creator }),
    createCopyController(configMapCopies(copy), deps),
    createCopyController(secretCopies(copy), deps),
    createCopyController(claimCopies(copy), deps),
    createCopyController(volumeCopies(copy), deps),
  ];
}
