import { configMapKind, secretKind } from '@tributary/runtime';
import type { AnyObject, Kind, KubeClient, ObjectRef } from '@tributary/runtime';
import { claimKind, volumeKind } from '../contract/cluster-kinds.ts';
import { labels } from '../contract/keys.ts';
import { podKind } from '../contract/pod.ts';
import { podOf } from './objects.ts';

// A pod and all that it names, in every order in which they can be deleted.

export type Part = 'pod' | 'configMap' | 'secret' | 'claim' | 'volume';
export const parts: readonly Part[] = ['pod', 'configMap', 'secret', 'claim', 'volume'];

export function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

type One = { readonly kind: Kind; readonly ref: ObjectRef; readonly object: AnyObject };

function of(kind: unknown, ref: ObjectRef, rest: object): One {
  return { kind: kind as Kind, ref, object: { metadata: ref, ...rest } as AnyObject };
}

/** Each round has names of its own, so that all orders can be under way at once. */
export function objectsOf(name: string): Readonly<Record<Part, One>> {
  const ref = { namespace: 'default', name };
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'fast' };
  const volumes = [
    { name: 'c', configMap: { name } },
    { name: 's', secret: { secretName: name } },
    { name: 'd', persistentVolumeClaim: { claimName: name } },
  ];
  return {
    pod: of(podKind, ref, { spec: podOf({ spec: { volumes, terminationGracePeriodSeconds: 1 } }).spec }),
    configMap: of(configMapKind, ref, { data: { a: '1' } }),
    secret: of(secretKind, ref, { data: { a: 'MQ==' } }),
    claim: of(claimKind, ref, { spec: { ...spec, volumeName: name, resources: { requests: { storage: '1Gi' } } } }),
    volume: of(volumeKind, { name }, { spec: { ...spec, capacity: { storage: '1Gi' }, hostPath: { path: '/d' } } }),
  };
}

const kinds = [podKind, configMapKind, secretKind, claimKind, volumeKind] as unknown as readonly Kind[];

/** What there is of them in either cluster: of V by their names, of P whatever a syncer made. */
export async function leftIn(v: KubeClient, p: KubeClient, mountNamespace: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of kinds) {
    const above = (await v.list(kind)).items.filter(({ metadata }) => metadata.name?.startsWith('order-'));
    const selector = { labelSelector: `${labels.managedBy}=kubeocean` };
    const scope = kind.scope === 'Namespaced' ? { ...selector, namespace: mountNamespace } : selector;
    const below = (await p.list(kind, scope)).items;
    found.push(...above.map(({ metadata }) => `V ${kind.kind} ${metadata.name}`));
    found.push(...below.map(({ metadata }) => `P ${kind.kind} ${metadata.name}`));
  }
  return found;
}
