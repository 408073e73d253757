import type { SchemaNode } from '../../registry/schema-node.ts';
import { parseDurationMs } from '../formats.ts';
import { hasKey, isRecord, mapValueSchema } from '../schema-walk.ts';
import { celDuration } from './cel-duration.ts';
import { escapeName } from './escape-name.ts';

const text: SchemaNode = { type: 'string' };

/** What rules see of every resource beside its own fields. */
const resourceFields = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
} as const satisfies { readonly [name: string]: SchemaNode };

/** The schema as rules see it: a resource has its type and its name whatever the schema says. */
export function visibleSchema(node: SchemaNode, isResource: boolean): SchemaNode {
  if (!isResource && node['x-kubernetes-embedded-resource'] !== true) return node;
  return { ...node, properties: { ...node.properties, ...resourceFields } };
}

/**
 * JSON as CEL sees it through a schema: integers are BigInt, formatted strings their own types, properties under
 * escaped names, fields that are not specified not there at all. Unlike on the server, `==` minds the order of items
 * in lists of type set and map too.
 */
export function toCelValue(value: unknown, schema: SchemaNode, isResource = false): unknown {
  if (value === null || value === undefined) return null;
  const node = visibleSchema(schema, isResource);
  if (node['x-kubernetes-int-or-string'] === true) return typeof value === 'number' ? BigInt(Math.trunc(value)) : value;
  if (Array.isArray(value)) return value.map((item) => toCelValue(item, node.items ?? {}));
  if (isRecord(value)) return objectValue(value, node);
  if (typeof value === 'string') return stringValue(value, node);
  if (typeof value === 'number') return numberValue(value, node);
  return value;
}

function objectValue(value: { readonly [key: string]: unknown }, node: SchemaNode): unknown {
  const out: { [key: string]: unknown } = {};
  const ofMap = mapValueSchema(node);
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (node.properties && hasKey(node.properties, key)) {
      const name = escapeName(key);
      if (name !== undefined) out[name] = toCelValue(item, node.properties[key] ?? {});
    } else if (ofMap) out[key] = toCelValue(item, ofMap);
    else if (!node.properties) out[key] = toCelValue(item, {});
  }
  return out;
}

function stringValue(value: string, node: SchemaNode): unknown {
  if (node.type !== 'string') return value;
  switch (node.format ?? '') {
    case 'date':
    case 'date-time': {
      const at = new Date(value);
      return Number.isNaN(at.getTime()) ? value : at;
    }
    case 'duration': {
      const ms = parseDurationMs(value);
      return ms === undefined ? value : celDuration(ms);
    }
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    default:
      return value;
  }
}

function numberValue(value: number, node: SchemaNode): unknown {
  if (node.type === 'number') return value;
  return Number.isInteger(value) ? BigInt(value) : value;
}
