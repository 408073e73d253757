import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { Condition, KubeClient, KubeObject } from '@tributary/runtime';
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

async function complaintOf(client: KubeClient, { kind = '', metadata }: KubeObject): Promise<readonly string[]> {
  const known = [...allKinds, ingressKind].find((each) => each.kind === kind);
  if (!known) return [];
  const { name = '', namespace = 'default' } = metadata;
  const ref = known.scope === 'Namespaced' ? { namespace, name } : { name };
  const found = await client.get<Told>(known as typeof ingressKind, ref).catch((): Told => ({ metadata: {} }));
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
