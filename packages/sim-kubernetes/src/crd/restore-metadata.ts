import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import { checkQualifiedName } from '../registry/name-checks.ts';
import { checkLabels } from '../kinds/validation/field-checks.ts';
import type { Errors } from '../kinds/validation/field-checks.ts';
import { sameJson } from '../registry/same-json.ts';
import { invalidField } from '../schema/field-errors.ts';
import { isRecord } from '../schema/schema-walk.ts';

/**
 * The metadata of an object that a webhook converted: all as it was but for labels and annotations, which are the
 * webhook's. A text says what is wrong with them.
 */
export function restoreMetadata(original: JsonObject | undefined, converted: unknown): JsonObject | string {
  if (converted === undefined) return 'missing metadata in converted object';
  if (!isRecord(converted)) return `invalid metadata of type ${goType(converted)} in converted object`;
  const restored = cloneJson(original ?? {}) as Draft;
  for (const field of ['labels', 'annotations'] as const) {
    const given = converted[field];
    if (given === undefined || given === null) {
      delete restored[field];
      continue;
    }
    if (!isRecord(given)) return `invalid metadata.${field} of type ${goType(given)} in converted object`;
    for (const [key, value] of Object.entries(given)) {
      if (typeof value === 'string') continue;
      return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
    }
    if (!sameJson(given, restored[field] ?? {})) {
      const problems = fieldProblems(field, given as Record<string, string>);
      if (problems !== undefined) return problems;
    }
    restored[field] = given;
  }
  return restored as JsonObject;
}

function fieldProblems(field: 'labels' | 'annotations', given: Record<string, string>): string | undefined {
  const errors: Errors = field === 'labels' ? checkLabels(given, 'metadata.labels') : annotationErrors(given);
  const lines = errors.map(({ field: at, message }) => `${at}: ${message}`);
  if (lines.length === 0) return undefined;
  return lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
}

function annotationErrors(given: Record<string, string>): Errors {
  return Object.keys(given).flatMap((key) =>
    checkQualifiedName(key.toLowerCase()).map((fault) => invalidField('metadata.annotation', key, fault)),
  );
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'map[string]interface {}' : 'string';
}
