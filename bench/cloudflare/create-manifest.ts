import type { Kind, KubeClient, KubeObject } from '@tributary/runtime';

/** Creates what a person would write: the server fills in the defaults. */
export async function createManifest(
  client: KubeClient,
  kind: Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'scope'>,
  manifest: Pick<KubeObject, 'metadata'> & Readonly<Record<string, unknown>>,
): Promise<void> {
  await client.create(kind, manifest);
}
