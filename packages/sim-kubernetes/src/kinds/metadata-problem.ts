import { isApiError, unreadPart } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, Json } from '../registry/json.ts';
import { normalizeObject } from './normalize-object.ts';
import { jsonType } from './unreadable-value.ts';

/** What Go cannot read in the metadata of an object whose kind it does not know. */
export function metadataProblem(metadata: unknown): string | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    return `json: cannot unmarshal ${jsonType(metadata)} into Go value of type v1.ObjectMeta`;
  }
  try {
    normalizeObject(cloneJson(metadata as Json) as Draft, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return unreadPart(error);
  }
}
