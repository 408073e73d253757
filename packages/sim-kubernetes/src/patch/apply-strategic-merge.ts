import type { SchemaNode } from '../registry/schema-node.ts';
import { ApiError, badRequest } from '../registry/api-error.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from '../schema/schema-walk.ts';
import type { ResolveRef } from '../schema/schema-walk.ts';
import { goValue } from './go-value.ts';
import { withoutDirectives, withoutNullFields } from './patch-directives.ts';
import { checkOrder, deleteFromList, mergeLists, orderList } from './strategic-lists.ts';
import type { MergeItems } from './strategic-lists.ts';

export type JsonMap = { [key: string]: unknown };

const directive = '$patch';
const retain = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

/**
 * Strategic merge patch: a merge patch that knows by schema which lists are merged by key, and that can speak of
 * itself (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`). The target is left as it was.
 */
export function applyStrategicMerge(
  target: unknown,
  patch: unknown,
  schema: SchemaNode,
  resolveRef: ResolveRef = refusingRefs,
): unknown {
  if (!isRecord(patch)) throw badRequest('invalid JSON document');
  return mergeObject(isRecord(target) ? target : {}, patch, schema, resolveRef);
}

function mergeObject(target: JsonMap, patch: JsonMap, schema: SchemaNode | undefined, resolveRef: ResolveRef): JsonMap {
  if (hasKey(patch, directive)) return directed(patch);
  const node = schema && resolveNode(schema, resolveRef);
  const merged: JsonMap = retained(target, patch);
  const left: JsonMap = { ...patch };
  delete left[retain];
  applyOrders(merged, left, node, resolveRef);
  for (const [key, value] of Object.entries(left)) {
    if (key.startsWith(deletePrefix)) {
      const name = key.slice(deletePrefix.length);
      if (Array.isArray(value) && Array.isArray(merged[name]))
        merged[name] = deleteFromList(merged[name] as unknown[], value);
    } else mergeField(merged, key, value, node, resolveRef);
  }
  return merged;
}

function mergeField(
  merged: JsonMap,
  key: string,
  value: unknown,
  node: SchemaNode | undefined,
  resolveRef: ResolveRef,
): void {
  if (value === null) {
    delete merged[key];
    return;
  }
  const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
  const field = fieldSchema(node, key, resolveRef);
  if (isRecord(before) && isRecord(value) && !replaces(field)) {
    merged[key] = mergeObject(before, value, field, resolveRef);
  } else if (Array.isArray(before) && Array.isArray(value) && merges(field)) {
    merged[key] = mergeLists(before, value, mergeKey(field), itemMerge(field, resolveRef));
  } else {
    const clean = withoutDirectives(withoutNullFields(value));
    if (clean === undefined) delete merged[key];
    else merged[key] = clean;
  }
}

/** `$setElementOrder/x` merges the list x at once and puts its items in the given order. */
function applyOrders(merged: JsonMap, patch: JsonMap, node: SchemaNode | undefined, resolveRef: ResolveRef): void {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    delete patch[key];
    if (!Array.isArray(order)) throw badRequest('invalid patch format of setElementOrder list');
    const name = key.slice(orderPrefix.length);
    const field = fieldSchema(node, name, resolveRef);
    const before = Array.isArray(merged[name]) ? (merged[name] as unknown[]) : undefined;
    const changes = Array.isArray(patch[name]) ? (patch[name] as unknown[]) : undefined;
    delete patch[name];
    if (changes) checkOrder(changes, order, mergeKey(field));
    const together =
      before && changes
        ? mergeLists(before, changes, mergeKey(field), itemMerge(field, resolveRef))
        : (before ?? (changes && (withoutDirectives(changes) as unknown[])));
    if (together) merged[name] = orderList(together, order, before ?? [], mergeKey(field));
  }
}

function directed(patch: JsonMap): JsonMap {
  const { [directive]: wanted, ...rest } = patch;
  if (wanted === 'replace') return rest;
  if (wanted === 'delete') return {};
  throw new ApiError(500, '', `unknown patch type: ${goValue(wanted)} in map: ${goValue(patch)}`);
}

/** `$retainKeys` names all keys that may stay; whatever else the patch sets is a mistake. */
function retained(target: JsonMap, patch: JsonMap): JsonMap {
  if (!hasKey(patch, retain)) return { ...target };
  const keys = patch[retain];
  const strange = Object.entries(patch).some(
    ([key, value]) =>
      key !== retain &&
      value !== null &&
      !key.startsWith(deletePrefix) &&
      !key.startsWith(orderPrefix) &&
      !isListed(keys, key),
  );
  if (!Array.isArray(keys) || strange) throw badRequest('invalid patch format of retainKeys');
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function isListed(keys: unknown, key: string): boolean {
  return Array.isArray(keys) && keys.includes(key);
}

function itemMerge(field: SchemaNode | undefined, resolveRef: ResolveRef): MergeItems {
  return (before, change) => mergeObject(before, change, field?.items, resolveRef);
}

function fieldSchema(node: SchemaNode | undefined, key: string, resolveRef: ResolveRef): SchemaNode | undefined {
  const field = node && (node.properties && hasKey(node.properties, key) ? node.properties[key] : mapValueSchema(node));
  return field && resolveNode(field, resolveRef);
}

function strategies(field: SchemaNode | undefined): readonly string[] {
  return field?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
}

function merges(field: SchemaNode | undefined): boolean {
  return strategies(field).includes('merge');
}

function replaces(field: SchemaNode | undefined): boolean {
  return strategies(field).includes('replace');
}

function mergeKey(field: SchemaNode | undefined): string | undefined {
  return field?.['x-kubernetes-patch-merge-key'];
}
