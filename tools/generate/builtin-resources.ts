import type { BuiltinGroup } from './builtin-groups.ts';
import { servedUnder } from './builtin-groups.ts';

/** Reads JSON from the real server; `accept` when another form than plain JSON is wanted. */
export type ReadJson = (path: string, accept?: string) => Promise<unknown>;

type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };
type DiscoveredSubresource = {
  readonly subresource: string;
  readonly responseKind: GroupVersionKind;
  readonly acceptedTypes?: readonly GroupVersionKind[];
  readonly verbs: readonly string[];
};
type DiscoveredResource = {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
};
type DiscoveryList = {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
  }[];
};
type ColumnDefinition = {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
};

const discoveryAccept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export type WireResource = DiscoveredResource & { readonly columns: readonly Partial<ColumnDefinition>[] };

/** What aggregated discovery says of the resources of one group-version, with the columns of their tables. */
export async function readResources(builtin: BuiltinGroup, readJson: ReadJson): Promise<readonly WireResource[]> {
  const path = builtin.group === '' ? '/api' : '/apis';
  const discovery = (await readJson(path, discoveryAccept)) as DiscoveryList;
  const group = discovery.items.find((item) => (item.metadata.name ?? '') === builtin.group);
  const served = group?.versions.find((version) => version.version === builtin.version)?.resources ?? [];
  return Promise.all(
    builtin.resources.map(async (name) => {
      const found = served.find((resource) => resource.resource === name);
      if (found === undefined) throw new Error(`The server does not serve ${name} of ${servedUnder(builtin)}`);
      const columns = found.verbs.includes('list')
        ? await readColumns(`/${servedUnder(builtin)}/${name}`, readJson)
        : [];
      return { ...found, columns };
    }),
  );
}

async function readColumns(path: string, readJson: ReadJson): Promise<readonly Partial<ColumnDefinition>[]> {
  const table = (await readJson(`${path}?limit=1`, tableAccept)) as {
    readonly columnDefinitions: readonly ColumnDefinition[];
  };
  return table.columnDefinitions.map(({ name, type, format, priority }) => ({
    name,
    type,
    ...(format === '' ? {} : { format }),
    ...(priority === 0 ? {} : { priority }),
  }));
}
