import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, StoredObject } from './registry/json.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store } from './storage/store.ts';

const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };

/** Creates the CustomResourceDefinitions in the given files and folders, and waits until they are served. */
export async function installCrds(paths: readonly string[], client: RestClient, store: Store): Promise<void> {
  if (paths.length === 0) return;
  const { parseYamlDocuments } = await import('@tributary/runtime/yaml');
  const files = (await Promise.all(paths.map(yamlFiles))).flat();
  for (const file of files) {
    for (const document of parseYamlDocuments(await readFile(file, 'utf8'))) {
      const object = document as JsonObject;
      if (object['kind'] !== 'CustomResourceDefinition') continue;
      const name = (object['metadata'] as { readonly name: string }).name;
      if (client.get(definitions, { name }) === undefined) await client.create(definitions, object);
      await established(store, name);
    }
  }
}

async function yamlFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

async function established(store: Store, name: string): Promise<void> {
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
