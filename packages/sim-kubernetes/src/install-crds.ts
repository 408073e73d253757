import type { JsonObject, StoredObject } from './registry/json.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store } from './storage/store.ts';

export const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };

/** Creates CustomResourceDefinitions that are not there yet, and waits until they are served. */
export async function installCrds(crds: readonly JsonObject[], client: RestClient, store: Store): Promise<void> {
  for (const crd of crds) {
    const { name } = crd['metadata'] as { readonly name: string };
    if (client.get(definitions, { name }) === undefined) await client.create(definitions, crd);
    await established(store, name);
  }
}

/** Until the kind is served. */
export async function established(store: Store, name: string): Promise<void> {
  const crd = store.get(definitions, { name });
  if (crd !== undefined && isEstablished(crd)) return;
  await new Promise<void>((resolve) => {
    const stop = store.subscribe(definitions, ({ object }) => {
      if (object.metadata.name !== name || !isEstablished(object)) return;
      stop();
      resolve();
    });
  });
}

function isEstablished(crd: StoredObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as { readonly conditions?: readonly JsonObject[] | null };
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}
