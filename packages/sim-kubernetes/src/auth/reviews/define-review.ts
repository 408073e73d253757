import { schemaNameOf } from '../../kinds/builtin-kind.ts';
import { normalizeObject } from '../../kinds/normalize-object.ts';
import type { Draft, JsonObject } from '../../registry/json.ts';
import type { CallSubresource, SubresourceCall } from '../../registry/subresource.ts';

export type Review = {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** What of the object is answered beside kind and version. Throws an ApiError to refuse the question. */
  readonly answer: (review: Draft, call: SubresourceCall) => Draft;
};

/** The handler of a kind that is only ever created and never stored. */
export function defineReview({ group, kind, plural, answer }: Review): CallSubresource {
  return {
    form: 'call',
    group,
    plural,
    name: '',
    verbs: ['create'],
    kind: { group, version: 'v1', kind },
    handle: async (call) => {
      const object: Draft = { kind, apiVersion: `${group}/v1`, ...answer(call.body ?? {}, call) };
      // As Go writes it: empty fields are left out, but for those that are always there.
      normalizeObject(object, schemaNameOf(group, 'v1', kind));
      return { status: 201, object: object as JsonObject };
    },
  };
}
