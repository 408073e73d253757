import type { ApiRequest } from './api-request.ts';
import type { ResourcePath } from './parse-path.ts';
import { boolOf } from './query-options.ts';

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** What a request does to a resource, in the words of the API. */
export function verbOf({ method, query }: ApiRequest, { name, watch }: ResourcePath): string {
  if (method === 'GET' || method === 'HEAD') {
    if (watch || boolOf(query, 'watch') === true) return 'watch';
    return name === '' ? 'list' : 'get';
  }
  if (method === 'DELETE' && name === '') return 'deletecollection';
  return verbs[method] ?? method.toLowerCase();
}
