import type { JsonObject } from '../registry/json.ts';
import type { TableRules } from '../registry/object-rules.ts';
import type { TableColumn } from '../registry/resource-type.ts';

/** `meta.k8s.io` Table: the form in which kubectl asks for everything that it prints as columns. */
export const toTable: TableRules = (type, objects, metadata, options) => {
  const { includeObject, version, nowMs, withoutColumns } = options;
  const apiVersion = `meta.k8s.io/${version}`;
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    // Behind the first event of a watch the columns are known.
    columnDefinitions: withoutColumns ? null : type.table.columns.map(toDefinition),
    rows: objects.map((object) => ({
      cells: [...type.table.cells(object, nowMs)],
      object:
        includeObject === 'Object'
          ? object
          : includeObject === 'Metadata'
            ? { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata }
            : null,
    })),
  };
};

function toDefinition({ name, type, format = '', description = '', priority = 0 }: TableColumn): JsonObject {
  return { name, type, format, description, priority };
}
