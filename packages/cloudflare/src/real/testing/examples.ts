import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { Condition, KubeClient, KubeObject, ObjectRef } from '@tributary/runtime';
import { allKinds } from '../../catalog.ts';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { examplesFolder } from './installed-cluster.ts';

/** Every object of every example. */
export function exampleObjects(): readonly KubeObject[] {
  const files = globSync('*/*.yaml', { cwd: examplesFolder }).toSorted();
  return files.flatMap((file) => parseYamlDocuments(readFileSync(join(examplesFolder, file), 'utf8')) as KubeObject[]);
}

type Told = KubeObject & {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly loadBalancer?: { readonly ingress?: readonly object[] };
    readonly hostnames?: string;
  };
};

/**
 * What is not ready, and why. An Ingress is ready when it has an address, a binding when it has hosts, an AccessTunnel when its
 * Deployment is there; kinds of others always are.
 */
export async function unready(client: KubeClient, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const complaints = await Promise.all(objects.map(async (object) => complaintOf(client, object)));
  return complaints.flat();
}

/** Which of them are still there, if only because somebody's finalizer keeps them. */
export async function notGone(client: KubeClient, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const found = await Promise.all(objects.map(async (object) => ({ object, found: await find(client, object) })));
  return found.filter((each) => each.found).map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`);
}

type Place = { readonly known: typeof ingressKind; readonly ref: ObjectRef };

function placeOf({ kind = '', metadata }: KubeObject): Place | undefined {
  const known = [...allKinds, ingressKind].find((each) => each.kind === kind);
  const { name = '', namespace = 'default' } = metadata;
  const ref = known?.scope === 'Namespaced' ? { namespace, name } : { name };
  return known && { known, ref };
}

async function find(client: KubeClient, object: KubeObject): Promise<Told | undefined> {
  const place = placeOf(object);
  return place && client.get<Told>(place.known, place.ref).catch(() => undefined);
}

async function complaintOf(client: KubeClient, object: KubeObject): Promise<readonly string[]> {
  const place = placeOf(object);
  if (!place) return [];
  const { known, ref } = place;
  const { kind, metadata } = object;
  const { name } = metadata;
  const found = (await find(client, object)) ?? { metadata: {} };
  if (known.kind === 'AccessTunnel') {
    return client.get(deploymentKind, ref).then(
      () => [],
      () => [`${kind} ${name}: it has no Deployment`],
    );
  }
  const { conditions, loadBalancer, hostnames } = found.status ?? {};
  if (loadBalancer?.ingress?.length || hostnames) return [];
  const ready = getCondition(conditions, 'Ready');
  const isUpToDate = ready?.observedGeneration === found.metadata.generation;
  return ready?.status === 'True' && isUpToDate ? [] : [`${kind} ${name}: ${ready?.message ?? 'nothing is said'}`];
}
