import { isNotFound, parseYamlDocuments } from '@tributary/runtime';
import type { AnyObject, Kind, KubeClient, KubeObject } from '@tributary/runtime';
import type { Cluster } from '@tributary/sim-kubernetes';

/** Makes the objects, or gives those that are there the fields that are named. */
export async function applyObjects(
  given: string | KubeObject | readonly KubeObject[],
  client: Pick<KubeClient, 'create' | 'patch' | 'get'>,
  registry: Cluster['registry'],
): Promise<void> {
  for (const object of toObjects(given)) {
    const kind = kindOf(object, registry);
    const { name = '', namespace } = object.metadata;
    const place = kind.scope === 'Namespaced' ? { namespace: namespace ?? 'default' } : {};
    const whole = { ...object, metadata: { ...object.metadata, ...place } } as AnyObject;
    try {
      await client.get(kind, { ...place, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(kind, whole);
      continue;
    }
    await client.patch(kind, { ...place, name }, { type: 'merge', body: whole });
  }
}

/** Asks for their deletion, as `kubectl delete --wait=false` would; what is gone already is fine. */
export async function deleteObjects(
  given: readonly KubeObject[],
  client: Pick<KubeClient, 'delete'>,
  registry: Cluster['registry'],
): Promise<void> {
  for (const object of given) {
    const kind = kindOf(object, registry);
    const { name = '', namespace } = object.metadata;
    try {
      await client.delete(kind, kind.scope === 'Namespaced' ? { namespace: namespace ?? 'default', name } : { name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function toObjects(given: string | KubeObject | readonly KubeObject[]): readonly KubeObject[] {
  if (typeof given !== 'string') return Array.isArray(given) ? (given as readonly KubeObject[]) : [given as KubeObject];
  return parseYamlDocuments(given).filter((each): each is KubeObject => each !== null && each !== undefined);
}

export function kindOf({ apiVersion = '', kind }: KubeObject, registry: Cluster['registry']): Kind {
  const [first = '', second] = apiVersion.split('/');
  const type = registry.findKind(second === undefined ? '' : first, second ?? first, kind ?? '');
  if (!type) throw new Error(`the cluster knows no ${kind ?? ''} of ${apiVersion}`);
  const { group, version, plural, namespaced } = type;
  return { group, version, kind: type.kind, plural, scope: namespaced ? 'Namespaced' : 'Cluster' };
}
