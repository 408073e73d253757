// Objects and changes that the real server refuses, with what it says.
import type { SendAny } from './builtin-golden.ts';

export type RefusalInput = {
  readonly name: string;
  readonly path: string;
  readonly plural: string;
  readonly clusterWide?: boolean;
  readonly object: { readonly kind: string; readonly metadata?: object; readonly [key: string]: unknown };
  /** When set the object is made, and this merge patch of it is refused. */
  readonly change?: object;
};

export type Refusal = RefusalInput & {
  readonly status: number;
  /** Empty when there are several causes: Go walks maps in no order, so theirs means nothing. */
  readonly message: string;
  readonly causes: readonly unknown[];
};

/** Asks a server, real or ours, for each of them. */
export async function captureRefusals(inputs: readonly RefusalInput[], send: SendAny): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const input of inputs) {
    const version = input.path.slice(input.path.indexOf('/') + 1);
    const object = { apiVersion: version, ...input.object, metadata: { name: input.name, ...input.object.metadata } };
    const collection = `/${input.path}${input.clusterWide ? '' : '/namespaces/default'}/${input.plural}`;
    const created = await send('POST', collection, object);
    const answer =
      input.change === undefined ? created : await send('PATCH', `${collection}/${input.name}`, input.change);
    const { message = '', details } = answer.body as Answer;
    const causes = (details?.causes ?? []).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    refusals.push({ ...input, status: answer.status, message: causes.length > 1 ? '' : message, causes });
  }
  return refusals;
}

type Cause = { readonly field?: string; readonly message?: string };
type Answer = { readonly message?: string; readonly details?: { readonly causes?: readonly Cause[] } };

function sortKey({ field = '', message = '' }: Cause): string {
  return `${field} ${message}`;
}
