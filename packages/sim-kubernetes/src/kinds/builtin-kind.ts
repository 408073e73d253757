import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType, Strategy } from '../registry/resource-type.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { createTypeDefaults } from './apply-type-defaults.ts';
import type { CellsOf } from './cells/cell-text.ts';
import { age } from './cells/cell-text.ts';
import { coreCells } from './cells/core-cells.ts';
import { groupCells } from './cells/group-cells.ts';
import { coreTypeDefaults } from './core-type-defaults.ts';
import { groupTypeDefaults } from './group-type-defaults.ts';
import { normalizeObject } from './normalize-object.ts';
import { resolvedSchema } from './resolved-schema.ts';
import { podWarningsOf } from './validation/pod-warnings.ts';
import type { WireResource } from './wire-groups.ts';
import { wireGroup } from './wire-groups.ts';

export type BuiltinKind = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** What is particular to the kind, beside defaults and the keeping of status, which all have. */
  readonly strategy?: BuiltinStrategy;
  /** Where the kind is not among the tables of cells. */
  readonly cells?: CellsOf;
} & Partial<Pick<ResourceType, 'scale' | 'storedIn' | 'convert' | 'deprecationWarning' | 'onRead'>>;

export type BuiltinStrategy = Omit<Strategy, 'applyDefaults'> & {
  /** A status that comes with a create is kept (Node). */
  readonly keepsStatusOnCreate?: boolean;
};

/** Kinds whose deletion answers with the object, not with a Status. */
const answeringWithDeleted = new Set([
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'PodTemplate',
  'ResourceQuota',
  'Service',
  'ServiceAccount',
  'CSIDriver',
  'CSINode',
  'StorageClass',
  'VolumeAttachment',
]);

const fillType = createTypeDefaults({ ...coreTypeDefaults, ...groupTypeDefaults });

/** A kind of kube-apiserver out of what was read from a real one and what is written by hand. */
export function builtinKind(declaration: BuiltinKind): ResourceType {
  const { group, version, kind, strategy = {}, cells, ...more } = declaration;
  const wire = wireResource(declaration);
  const schemaName = schemaNameOf(group, version, kind);
  const subresources = (wire.subresources ?? []).map((found) => found.subresource);
  const hasStatus = subresources.includes('status');
  const warnings = podWarningsOf(group, kind);
  let schema: SchemaNode | undefined;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: wire.resource,
    singular: wire.singularResource,
    shortNames: wire.shortNames ?? [],
    categories: wire.categories ?? [],
    namespaced: wire.scope === 'Namespaced',
    verbs: wire.verbs,
    get schema() {
      return (schema ??= resolvedSchema(schemaName));
    },
    strategy: {
      returnsDeletedObject: answeringWithDeleted.has(kind),
      ...(warnings === undefined ? {} : { warnings }),
      ...builtinStrategy(schemaName, hasStatus, strategy),
    },
    hasStatus,
    table: {
      columns: wire.columns,
      cells: cells ?? (group === '' ? coreCells[kind] : groupCells[`${group}/${kind}`]) ?? plainCells(wire),
    },
    origin: 'builtin',
    subresources: subresources.filter((name) => name !== 'status' && name !== 'scale'),
    ...more,
  };
}

/** The OpenAPI name of a built-in kind. */
export function schemaNameOf(group: string, version: string, kind: string): string {
  if (group === 'apiextensions.k8s.io')
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
  if (group === 'apiregistration.k8s.io') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${kind}`;
  const folder = group === '' ? 'core' : (group.split('.')[0] ?? '');
  return `io.k8s.api.${folder}.${version}.${kind}`;
}

function wireResource({ group, version, kind }: BuiltinKind): WireResource {
  const found = wireGroup(group, version).resources.find((resource) => resource.responseKind.kind === kind);
  if (found === undefined) throw new Error(`No built-in resource of kind ${kind} in ${group}/${version}`);
  return found;
}

function plainCells(wire: WireResource): (object: StoredObject, nowMs: number) => readonly string[] {
  const timed = wire.columns.some((column) => column.name === 'Created At');
  return (object, nowMs) => [object.metadata.name, timed ? object.metadata.creationTimestamp : age(object, nowMs)];
}

function builtinStrategy(type: string, hasStatus: boolean, own: BuiltinStrategy): Strategy {
  const { keepsStatusOnCreate = false, ...hooks } = own;
  const base: Strategy = {
    ...hooks,
    applyDefaults: (draft) => {
      normalizeObject(draft, type);
      fillType(draft, type);
    },
  };
  if (!hasStatus) return base;
  let empty: Draft | undefined;
  return {
    ...base,
    prepareForCreate: (draft, context) => {
      if (!keepsStatusOnCreate) draft['status'] = cloneJson((empty ??= emptyStatus(type)));
      own.prepareForCreate?.(draft, context);
    },
    prepareForUpdate: (draft, old, context) => {
      draft['status'] = cloneJson(old['status'] ?? {});
      own.prepareForUpdate?.(draft, old, context);
    },
    prepareForStatusUpdate: (draft, old, context) => {
      keepAllButStatus(draft, old);
      own.prepareForStatusUpdate?.(draft, old, context);
    },
  };
}

/** The status as Go writes it before anyone has set it. */
function emptyStatus(type: string): Draft {
  const empty: Draft = {};
  normalizeObject(empty, type);
  fillType(empty, type);
  return empty['status'] as Draft;
}

/** `/status` of a built-in kind changes status and metadata, not what is wanted. */
function keepAllButStatus(draft: Draft, old: JsonObject): void {
  for (const key of Object.keys(draft)) if (key !== 'metadata' && key !== 'status') delete draft[key];
  for (const [key, value] of Object.entries(old)) {
    if (key !== 'metadata' && key !== 'status') draft[key] = cloneJson(value);
  }
}
