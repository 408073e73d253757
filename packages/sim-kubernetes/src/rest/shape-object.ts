import { badRequest } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { RestDeps, WriteContext } from './rest-deps.ts';

/**
 * Brings a decoded body into the form of its kind: what the schema does not know goes, defaults come in. `strict`
 * holds what decoding already found (fields given twice). Strict refuses, Warn warns, Ignore is silent.
 */
export function shapeObject(
  deps: RestDeps,
  type: ResourceType,
  draft: Draft,
  context: WriteContext,
  strict: readonly string[],
): void {
  const unknown = deps.schema.prune(type.schema, draft).map((path) => `unknown field ${JSON.stringify(path)}`);
  const problems = type.origin === 'custom' ? [...strict, ...unknown] : [...unknown, ...strict];
  reportStrict(problems, context, type);
  // The defaults of built-in kinds are code, not schema.
  if (type.origin === 'custom') deps.schema.applyDefaults(type.schema, draft);
  type.strategy.applyDefaults?.(draft);
}

function reportStrict(problems: readonly string[], context: WriteContext, type: ResourceType): void {
  if (problems.length === 0 || context.fieldValidation === 'Ignore') return;
  if (context.fieldValidation === 'Warn') {
    problems.forEach(context.warn);
    return;
  }
  const text = `strict decoding error: ${problems.join(', ')}`;
  throw badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${text}`);
}
