import type { JsonObject } from '../registry/json.ts';

/** What may be asked with a request, by kind of request. Clients look for names here before they use them. */
function query(name: string, type: string): JsonObject {
  return { name, in: 'query', schema: { type, uniqueItems: true } };
}

export function pathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

export const pretty = query('pretty', 'string');

export const readParameters = [query('resourceVersion', 'string')];

export const listParameters = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];

export const bodyParameters = [
  query('dryRun', 'string'),
  query('fieldManager', 'string'),
  query('fieldValidation', 'string'),
];

export const deleteParameters = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];
