import type { KubeObject } from '@tributary/runtime';
import { clusterTunnel, ingress } from './ingress-objects.ts';

/** All three contributors of one tunnel change, so that none of them may write over another. */
export function raceMove(name: string, round: number): readonly KubeObject[] {
  const host = (what: string): string => `${what}-${round}.${name}.example.com`;
  return [
    clusterTunnel(name, { enableWarpRouting: round % 2 === 0 }),
    ingress(name, { host: host('app'), className: name }),
    {
      apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
      kind: 'TunnelBinding',
      metadata: { name, namespace: 'default' },
      subjects: [{ name: 'web', spec: { fqdn: host('api') } }],
      tunnelRef: { kind: 'ClusterTunnel', name, disableDNSUpdates: true },
    } as KubeObject,
  ];
}

/** What the tunnel must show after a round: its setting and its hosts in order, the catch-all last. */
export function raceRules(name: string, round: number): readonly string[] {
  return [`warp ${round % 2 === 0}`, `api-${round}.${name}.example.com`, `app-${round}.${name}.example.com`, '*'];
}

export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
