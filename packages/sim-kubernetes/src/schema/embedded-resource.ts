import type { FieldError } from '../registry/field-error.ts';
import { badRequest } from '../registry/api-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { childPath, invalidField, keyPath, requiredField } from './field-errors.ts';
import { checkLabel1035 } from '../registry/name-checks.ts';
import { metadataProblem } from '../kinds/metadata-problem.ts';
import { objectMetadata } from './object-metadata.ts';
import { prune } from './prune.ts';
import { hasKey, isRecord, mapValueSchema } from './schema-walk.ts';

// `x-kubernetes-embedded-resource` below the root: what stands there is an object of its own, with a type and metadata.

/** Prunes the metadata of embedded resources in place; returns the paths of what was unknown. */
export function coerceEmbedded(value: unknown, schema: SchemaNode): readonly string[] {
  const unknown: string[] = [];
  visit(value, schema, '', (resource, path) => {
    refuseUntyped(value as { readonly [key: string]: unknown }, resource, path);
    const at = childPath(path, 'metadata');
    unknown.push(...prune(resource['metadata'], objectMetadata).map((below) => `${at}.${below}`));
  });
  return unknown;
}

/** A type that is no text cannot be decoded at all. */
function refuseUntyped(
  root: { readonly [key: string]: unknown },
  resource: { readonly [key: string]: unknown },
  path: string,
): void {
  const refuse = (field: string, problem: string): never => {
    const { field: at, message } = invalidField(childPath(path, field), resource[field], problem);
    const kind = String(root['kind']);
    const version = String(root['apiVersion']).split('/').at(-1) ?? '';
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${at}: ${message}`);
  };
  for (const field of ['apiVersion', 'kind']) {
    const value = resource[field];
    if (value !== undefined && typeof value !== 'string') refuse(field, 'must be a string');
  }
  const problem = metadataProblem(resource['metadata']);
  if (problem !== undefined) refuse('metadata', problem);
}

export function validateEmbedded(value: unknown, schema: SchemaNode): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, '', (resource, path) => errors.push(...typeErrors(resource, path)));
  return errors;
}

function typeErrors(resource: { readonly [key: string]: unknown }, path: string): readonly FieldError[] {
  return (['apiVersion', 'kind'] as const).flatMap((field) => {
    const at = childPath(path, field);
    const value = resource[field];
    if (value === undefined) return [requiredField(at)];
    if (typeof value !== 'string') return [invalidField(at, value, 'must be a string')];
    if (value === '') return [invalidField(at, value, 'must not be empty')];
    return field === 'kind' ? kindErrors(value, at) : versionErrors(value, at);
  });
}

function kindErrors(kind: string, at: string): readonly FieldError[] {
  const problems = checkLabel1035(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidField(at, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function versionErrors(apiVersion: string, at: string): readonly FieldError[] {
  if (apiVersion.split('/').length < 3) return [];
  return [invalidField(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

type Seen = (resource: { readonly [key: string]: unknown }, path: string) => void;

function visit(value: unknown, node: SchemaNode | undefined, path: string, seen: Seen): void {
  if (!node || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visit(item, node.items, keyPath(path, index), seen));
    return;
  }
  if (!isRecord(value)) return;
  if (node['x-kubernetes-embedded-resource'] === true && path !== '') seen(value, path);
  const ofMap = mapValueSchema(node);
  for (const [key, item] of Object.entries(value)) {
    if (node.properties && hasKey(node.properties, key)) visit(item, node.properties[key], childPath(path, key), seen);
    else if (ofMap) visit(item, ofMap, keyPath(path, key), seen);
  }
}
