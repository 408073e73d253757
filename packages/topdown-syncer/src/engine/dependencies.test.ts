import type { Informer, KubeObject, ObjectRef } from '@tributary/runtime';
import { toKey } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { createPhysicalName } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';
import type { Informers } from '../informers.ts';
import { missingDependencies } from './dependencies.ts';

const physicalName = createPhysicalName();
const uses = {
  configMap: { name: 'c', configMap: { name: 'settings' } },
  optional: { name: 'o', configMap: { name: 'settings', optional: true } },
  claim: { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
};
const settings = { metadata: { namespace: 'default', name: 'settings' } };
const bound = {
  metadata: { namespace: 'default', name: 'data' },
  spec: { volumeName: 'disk' },
  status: { phase: 'Bound' },
};
const secretRef = { namespace: 'storage', name: 'csi' };
const disk = { metadata: { name: 'disk' }, spec: { csi: { nodePublishSecretRef: secretRef } } };
const identity = { clusterId: 'cls-a', virtualCluster: 'uid-v' };
const copyOf = ({ metadata }: KubeObject, virtualCluster = 'uid-v', original = metadata): KubeObject => {
  const { namespace, name = '' } = metadata;
  const annotations = {
    'kubeocean.io/virtual-namespace': original.namespace ?? '',
    'kubeocean.io/virtual-name': original.name ?? '',
    'tributary.io/owner-cls-a': virtualCluster,
  };
  const place = {
    ...(namespace && { namespace: 'mount' }),
    name: physicalName({ ...(namespace && { namespace }), name }),
  };
  return { metadata: { ...place, annotations } };
};
const stranger = 'virtual cluster uid-w (cluster id cls-a)';
const settingsPlace = `mount/${physicalName({ namespace: 'default', name: 'settings' })}`;

/** Of an informer only `get` is asked. */
function holding(...objects: readonly KubeObject[]): Informer<never> {
  const byKey = new Map(objects.map((object) => [toKey(object.metadata as ObjectRef), object]));
  return { get: (ref: ObjectRef) => byKey.get(toKey(ref)) } as unknown as Informer<never>;
}

function missing(volume: object, v: readonly KubeObject[], p: readonly KubeObject[] = []) {
  const [virtual, physical] = [holding(...v), holding(...p)];
  const sideOf = (informer: Informer<never>): object => ({
    configMaps: informer,
    secrets: informer,
    claims: informer,
    volumes: informer,
  });
  const informers = { virtual: sideOf(virtual), physical: sideOf(physical) } as unknown as Informers;
  const binding = (): never => ({ mountNamespace: 'mount' }) as never;
  const pod = { metadata: { namespace: 'default', name: 'web' }, spec: { containers: [], volumes: [volume] } } as Pod;
  return missingDependencies({ informers, binding, physicalName, identity }, pod);
}

const nothing = { problems: [], awaited: [] };
const cases = [
  {
    name: 'nothing, when the copy is there',
    found: missing(uses.configMap, [settings], [copyOf(settings)]),
    is: nothing,
  },
  {
    name: 'a copy that is not made yet, in silence',
    found: missing(uses.configMap, [settings]),
    is: { problems: [], awaited: ['ConfigMap default/settings'] },
  },
  {
    name: 'a copy that is on its way out',
    found: missing(
      uses.configMap,
      [settings],
      [{ metadata: { ...copyOf(settings).metadata, deletionTimestamp: '2026-01-05T00:00:00Z' } }],
    ),
    is: { problems: [], awaited: ['ConfigMap default/settings'] },
  },
  {
    name: 'an object that V does not have',
    found: missing(uses.configMap, []).problems,
    is: ['ConfigMap default/settings not found'],
  },
  {
    name: 'a projected ConfigMap that V does not have',
    found: missing({ name: 'p', projected: { sources: [{ configMap: { name: 'settings' } }] } }, []).problems,
    is: ['ConfigMap default/settings not found'],
  },
  {
    name: 'a projected Secret that V does not have',
    found: missing({ name: 'p', projected: { sources: [{ secret: { name: 'key' } }] } }, []).problems,
    is: ['Secret default/key not found'],
  },
  { name: 'nothing optional that V does not have', found: missing(uses.optional, []), is: nothing },
  {
    name: 'the copy of something optional that V has',
    found: missing(uses.optional, [settings]).awaited,
    is: ['ConfigMap default/settings'],
  },
  {
    name: "the holder of a copy's name, whose content it must not see",
    found: missing(uses.configMap, [settings], [copyOf(settings, 'uid-w')]).problems,
    is: [`ConfigMap ${settingsPlace} of the physical cluster is held by ${stranger}`],
  },
  {
    name: 'such a holder, also where V has nothing and the pod would do without',
    found: missing(uses.optional, [], [copyOf(settings, 'uid-w')]).problems,
    is: [`ConfigMap ${settingsPlace} of the physical cluster is held by ${stranger}`],
  },
  {
    name: 'a copy of ours that says it is of another object',
    found: missing(uses.configMap, [settings], [copyOf(settings, 'uid-v', bound.metadata)]).problems,
    is: [`ConfigMap ${settingsPlace} of the physical cluster is held by this binding`],
  },
  {
    name: "the holder of its volume's name",
    found: missing(uses.claim, [bound, disk, { metadata: secretRef }], [copyOf(bound), copyOf(disk, 'uid-w')]).problems,
    is: [`PersistentVolume ${physicalName({ name: 'disk' })} of the physical cluster is held by ${stranger}`],
  },
  {
    name: 'a claim that is not bound',
    found: missing(uses.claim, [{ ...bound, status: { phase: 'Pending' } } as KubeObject]).problems,
    is: ['PersistentVolumeClaim data is not bound'],
  },
  {
    name: 'a volume that is not there',
    found: missing(uses.claim, [bound], [copyOf(bound)]).problems,
    is: ['PersistentVolume disk not found'],
  },
  {
    name: 'a Secret of its volume that is not there',
    found: missing(uses.claim, [bound, disk], [copyOf(bound)]).problems,
    is: ['Secret storage/csi of PersistentVolume disk not found'],
  },
  {
    name: 'nothing of a claim whose volume is whole',
    found: missing(uses.claim, [bound, disk, { metadata: secretRef }], [copyOf(bound)]),
    is: nothing,
  },
];

describe('a pod waits for', () => {
  for (const { name, found, is } of cases) test(name, () => expect(found).toEqual(is));
});
