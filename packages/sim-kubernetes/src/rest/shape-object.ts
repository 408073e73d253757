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
  keepEmptied(draft);
  // Built-in kinds are checked while they are read, so faults come in the order of the body; custom ones afterwards.
  const order = type.origin === 'builtin' && strict.length > 0 ? fieldOrder(draft) : undefined;
  const unknown = deps.schema.prune(type.schema, draft).map((path) => `unknown field ${JSON.stringify(path)}`);
  const problems = [...strict, ...unknown];
  reportStrict(order === undefined ? problems : problems.toSorted((a, b) => order(a) - order(b)), context, type);
  // The defaults of built-in kinds are code, not schema.
  if (type.origin === 'custom') deps.schema.applyDefaults(type.schema, draft);
  type.strategy.applyDefaults?.(draft);
}

/** An empty list of managedFields means that they shall go; reading leaves empty lists out, and it would mean nothing. */
function keepEmptied(draft: Draft): void {
  const metadata = draft['metadata'] as Draft | undefined;
  const entries = metadata?.['managedFields'];
  if (metadata && Array.isArray(entries) && entries.length === 0) metadata['managedFields'] = [{}];
}

/** Where the field that a fault quotes stands in the object. What quotes none comes first. */
function fieldOrder(draft: Draft): (fault: string) => number {
  const positions = new Map<string, number>();
  const walk = (value: unknown, path: string): void => {
    positions.set(path, positions.size);
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${path}[${index}]`));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) walk(item, path === '' ? key : `${path}.${key}`);
    }
  };
  walk(draft, '');
  return (fault) => {
    const quoted = /field ("(?:[^"\\]|\\.)*")$/.exec(fault)?.[1];
    return quoted === undefined ? 0 : (positions.get(JSON.parse(quoted) as string) ?? 0);
  };
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
