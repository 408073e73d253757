import { builtinKind } from '../kinds/builtin-kind.ts';
import { normalizeObject } from '../kinds/normalize-object.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { sameJson } from '../registry/same-json.ts';
import { isRecord } from '../schema/schema-walk.ts';
import { enforcedFormat } from '../schema/formats.ts';
import { goQuote } from '../schema/go-format.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { cleanupFinalizer, crdSpec } from './crd-object.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

/** CustomResourceDefinition itself: a built-in kind with rules of its own. */
export function createCrdKind(): ResourceType {
  const type = builtinKind({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
  return {
    ...type,
    strategy: {
      ...type.strategy,
      allowsUnconditionalUpdate: false,
      applyDefaults: (draft) => {
        type.strategy.applyDefaults?.(draft);
        for (const { schema } of crdSpec(draft as JsonObject).versions) normalizeNested(schema?.openAPIV3Schema);
      },
      prepareForCreate: (draft) => {
        draft['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
        recordStorageVersion(draft);
      },
      prepareForUpdate: (draft, old) => {
        draft['status'] = cloneJson(old['status'] ?? {});
        recordStorageVersion(draft);
      },
      validate: (crd, { get }) => {
        const { name, uid } = crd['metadata'] as { readonly name: string; readonly uid: string };
        const known = get('apiextensions.k8s.io', 'customresourcedefinitions', undefined, name);
        return known !== undefined && known.metadata.uid === uid ? [] : validateCrd(crd);
      },
      validateUpdate: (next, old) => validateCrdUpdate(next, old),
      generationChanged: (next, old) => !sameJson(next['spec'], old['spec']),
      ignoresPropagation: true,
      marksFirst: true,
      prepareForDeletion: (draft) => {
        const metadata = draft['metadata'] as { finalizers?: string[] };
        metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), cleanupFinalizer])];
      },
      warnings: (crd, old) => formatWarnings(crd, old),
    },
  };
}

/** Every version that objects were ever stored in is remembered in status. */
function recordStorageVersion(draft: Draft): void {
  const status: Draft = isRecord(draft['status']) ? draft['status'] : (draft['status'] = {});
  const known = Array.isArray(status['storedVersions']) ? (status['storedVersions'] as string[]) : [];
  const storage = crdSpec(draft as JsonObject).versions.find((version) => version.storage)?.name;
  if (storage !== undefined && !known.includes(storage)) status['storedVersions'] = [...known, storage];
}

/**
 * `items` and `additionalProperties` may be something else than a schema, so the general reading leaves them as they
 * are; where they are schemas they are read like the others.
 */
function normalizeNested(node: SchemaNode | undefined): void {
  if (!isRecord(node)) return;
  for (const schema of [node.items, node.additionalProperties]) {
    if (isRecord(schema))
      normalizeObject(schema, 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  }
  schemasBelow(node).forEach(normalizeNested);
}

/** Formats that nobody enforces are a mistake more often than not. */
function formatWarnings(crd: JsonObject, old: JsonObject | undefined): readonly string[] {
  const before = old === undefined ? [] : ignoredFormats(old);
  return ignoredFormats(crd)
    .filter((format) => !before.includes(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function ignoredFormats(crd: JsonObject): readonly string[] {
  return crdSpec(crd).versions.flatMap(({ schema }) => formatsIn(schema?.openAPIV3Schema));
}

function formatsIn(node: SchemaNode | undefined): readonly string[] {
  if (!node) return [];
  const { format = '' } = node;
  const own = format !== '' && enforcedFormat(node) === '' ? [format] : [];
  return [...own, ...schemasBelow(node).flatMap(formatsIn)];
}

function schemasBelow(node: SchemaNode): readonly SchemaNode[] {
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  const single = [node.items, values, node.not].filter((schema) => schema !== undefined);
  const junctors = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return [...single, ...Object.values(node.properties ?? {}), ...junctors];
}
