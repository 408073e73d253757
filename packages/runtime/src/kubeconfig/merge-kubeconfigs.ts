import type { Kubeconfig } from './parse-kubeconfig.ts';

/**
 * Several files as one, as kubectl reads them: the first file to name a cluster, user or context has it alone,
 * nothing of a later one is mixed in; the first current context that is set counts.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    clusters: firstWins(configs.map(({ clusters }) => clusters)),
    users: firstWins(configs.map(({ users }) => users)),
    contexts: firstWins(configs.map(({ contexts }) => contexts)),
  };
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map(maps.toReversed().flatMap((map) => Array.from(map)));
}
