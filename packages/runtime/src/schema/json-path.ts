import type { PrinterColumn, ScaleSubresource } from './crd.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

type Paths = {
  readonly printerColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly string[];
  readonly subresources?: { readonly scale?: ScaleSubresource };
};

/** A path with a typing error makes an empty column and no error on the server, so we look it up. */
export function checkJsonPaths(
  { printerColumns, selectableFields, subresources }: Paths,
  root: StructuralSchema,
  path: string,
): void {
  for (const { jsonPath } of printerColumns ?? []) resolve(root, jsonPath, path);
  for (const jsonPath of Object.values(subresources?.scale ?? {})) resolve(root, jsonPath, path);
  for (const jsonPath of selectableFields ?? []) {
    const { type } = resolve(root, jsonPath, path);
    if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      throw new LossySchemaError(path, `the selectable field ${jsonPath} is not a string, integer or boolean`);
    }
  }
}

function resolve(root: StructuralSchema, jsonPath: string, path: string): StructuralSchema {
  const fail = (): never => {
    throw new LossySchemaError(path, `the JSON path ${jsonPath} leads nowhere`);
  };
  if (!/^(\.[\w-]+|\[[^\]]*\]|\\\.)+/.test(jsonPath)) fail();
  // What stands in brackets is an index or a filter, and "\." is a dot in a name: neither can be followed.
  const [plain = ''] = jsonPath.split(/[[\\]/);
  let node = root;
  for (const name of plain.split('.').slice(1)) {
    if (node === root && name === 'metadata') return { type: 'string' };
    if (node['x-kubernetes-preserve-unknown-fields']) return node;
    node = node.properties?.[name] ?? node.additionalProperties ?? fail();
  }
  return node;
}
