import { definitions, established } from './install-crds.ts';
import { notFound } from './registry/api-error.ts';
import type { Registry } from './registry/registry.ts';
import type { ResourceType } from './registry/resource-type.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store } from './storage/store.ts';

/** Any object of any kind, as manifests hold it. */
export type Manifest = { readonly apiVersion?: string; readonly kind?: string; readonly metadata: ManifestMetadata };
type ManifestMetadata = { readonly name?: string; readonly namespace?: string };

type Deps = { readonly client: RestClient; readonly registry: Registry; readonly store: Store };

/** Makes what is not there yet, in the given order; a new kind is served before the next object is made. */
export async function installObjects(objects: readonly Manifest[], { client, registry, store }: Deps): Promise<void> {
  for (const object of objects) {
    const type = typeOf(object, registry);
    const { name = '' } = object.metadata;
    const place = type.namespaced ? { namespace: object.metadata.namespace ?? 'default' } : {};
    const metadata = { ...object.metadata, ...place };
    if (client.get(type, { ...place, name }) === undefined) {
      await client.create(type, { ...object, metadata });
    }
    if (type.group === definitions.group && type.plural === definitions.plural) await established(store, name);
  }
}

function typeOf({ apiVersion = '', kind = '' }: Manifest, registry: Registry): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const type = registry.findKind(group, version, kind);
  if (type === undefined) throw notFound({ group, plural: kind }, apiVersion);
  return type;
}
