import type { Environment } from '@marcbachmann/cel-js';
import type { SchemaNode } from '../../registry/schema-node.ts';
import { mapValueSchema } from '../schema-walk.ts';
import { visibleSchema } from './cel-values.ts';
import { escapeName } from './escape-name.ts';

/**
 * Declares `self` and `oldSelf` with the types that the schema gives them, so that a rule that speaks of fields that
 * do not exist is refused when it is written and not when it runs.
 */
export function declareTypes(
  environment: Environment,
  schema: SchemaNode,
  { isResource, optionalOldSelf }: { readonly isResource: boolean; readonly optionalOldSelf: boolean },
): Environment {
  let made = 0;
  const name = (): string => `SelfType${(made += 1)}`;
  const type = typeOf(environment, schema, isResource, name) ?? 'dyn';
  return environment
    .registerVariable('self', type)
    .registerVariable('oldSelf', optionalOldSelf ? `optional<${type}>` : type);
}

/** Undefined for a field without a type: rules cannot reach it. */
function typeOf(
  environment: Environment,
  schema: SchemaNode,
  isResource: boolean,
  name: () => string,
): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'dyn';
  const node = visibleSchema(schema, isResource);
  switch (node.type) {
    case 'array': {
      const item = node.items && typeOf(environment, node.items, false, name);
      return item === undefined ? undefined : `list<${item}>`;
    }
    case 'object':
      return objectType(environment, node, name);
    case 'string':
      return stringType(node.format);
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case undefined:
      return undefined;
    default:
      return node.type satisfies never;
  }
}

function objectType(environment: Environment, node: SchemaNode, name: () => string): string | undefined {
  const ofMap = mapValueSchema(node);
  if (ofMap) {
    const value = typeOf(environment, ofMap, false, name);
    return value === undefined ? undefined : `map<string, ${value}>`;
  }
  const fields: { [field: string]: string } = {};
  for (const [property, schema] of Object.entries(node.properties ?? {})) {
    const type = typeOf(environment, schema, false, name);
    const field = escapeName(property);
    if (type !== undefined && field !== undefined) fields[field] = type;
  }
  const own = name();
  environment.registerType(own, { fields });
  return own;
}

function stringType(format: string | undefined): string {
  if (format === 'byte') return 'bytes';
  if (format === 'duration') return 'google.protobuf.Duration';
  return format === 'date' || format === 'date-time' ? 'google.protobuf.Timestamp' : 'string';
}
