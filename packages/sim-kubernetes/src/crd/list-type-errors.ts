import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  unsupportedField,
} from '../schema/field-errors.ts';
import { hasKey } from '../schema/schema-walk.ts';

/** What `x-kubernetes-list-type` asks of a list and of its items. */
export function listTypeErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const at = childPath(path, 'x-kubernetes-list-type');
  const errors: FieldError[] = [...arrayErrors(node, path)];
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(unsupportedField(at, listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? requiredField(at, detail) : invalidField(at, listType, detail));
  }
  if (listType === 'map') errors.push(...mapErrors(node, path, keys));
  if (listType === 'map' || listType === 'set') errors.push(...itemErrors(node, path, listType, keys));
  return errors;
}

function arrayErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const listType = node['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  if (node.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    const at = childPath(path, 'type');
    return [node.type === undefined ? requiredField(at, detail) : invalidField(at, node.type, detail)];
  }
  if (listType !== 'set' || !node.items) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const items = childPath(path, 'items');
  const ofItems = node.items['x-kubernetes-list-type'];
  if (node.items.type === 'array' && ofItems !== undefined && ofItems !== 'atomic') {
    return [invalidField(childPath(items, 'x-kubernetes-list-type'), ofItems, detail)];
  }
  if (node.items.type === 'object' && node.items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalidField(childPath(items, 'x-kubernetes-map-type'), ofItems ?? null, detail)];
  }
  return [];
}

function mapErrors(node: SchemaNode, path: string, keys: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const at = childPath(path, 'x-kubernetes-list-map-keys');
  const items = childPath(path, 'items');
  if (keys.length === 0) errors.push(requiredField(at, 'must not be empty if x-kubernetes-list-type is map'));
  if (!node.items) return [...errors, requiredField(items, 'must have a schema if x-kubernetes-list-type is map')];
  const { type, properties = {} } = node.items;
  if (type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidField(childPath(items, 'type'), type ?? '', detail)];
  }
  for (const [index, key] of keys.entries()) {
    const property = hasKey(properties, key) ? properties[key] : undefined;
    if (!property) errors.push(invalidField(at, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidField(`${keyPath(childPath(items, 'properties'), key)}.type`, type, detail));
    }
    if (keys.indexOf(key) !== index) errors.push(invalidField(at, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

function itemErrors(
  node: SchemaNode,
  path: string,
  listType: 'map' | 'set',
  keys: readonly string[],
): readonly FieldError[] {
  if (!node.items) return [];
  const errors: FieldError[] = [];
  const { nullable, required = [], properties = {} } = node.items;
  const items = childPath(path, 'items');
  if (nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(childPath(items, 'nullable'), detail));
  }
  for (const key of listType === 'map' ? keys : []) {
    const property = hasKey(properties, key) ? properties[key] : undefined;
    const at = keyPath(childPath(items, 'properties'), key);
    if (property && !required.includes(key) && property.default === undefined) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(requiredField(childPath(at, 'default'), detail));
    }
    if (property?.nullable === true) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbiddenField(childPath(at, 'nullable'), detail));
    }
  }
  return errors;
}
