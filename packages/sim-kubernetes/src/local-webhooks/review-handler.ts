import { isRecord } from '../schema/schema-walk.ts';
import type { WebhookReply } from '../webhook-client/webhook-transport.ts';

/** The `request` of an AdmissionReview or a ConversionReview. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a webhook is asked about has no type that we could know
export type ReviewRequest = Readonly<Record<string, any>>;

/**
 * The `response` to it, without the uid. For admission `allowed`, and where wanted `status`, `warnings` and `patch`: the
 * operations of a JSON Patch as they are. For conversion `convertedObjects`; the result is a success when left out.
 */
export type ReviewResponse = Readonly<Record<string, unknown>> & {
  readonly allowed?: boolean;
  readonly patch?: readonly object[];
};

/** What stands behind a path of the local webhook server. */
export type ReviewHandler = (request: ReviewRequest) => ReviewResponse | Promise<ReviewResponse>;

export type ReviewHandlers = Readonly<Record<string, ReviewHandler>>;

/** Answers a review that was posted to a path. What a handler throws is an answer with status 500. */
export async function answerReview(handlers: ReviewHandlers, path: string, body: string): Promise<WebhookReply> {
  const handler = handlers[path];
  if (handler === undefined) return reply(404, `there is no webhook at ${path}`, 'text/plain');
  try {
    const review: unknown = JSON.parse(body);
    if (!isRecord(review) || !isRecord(review['request'])) return reply(400, 'this is no review', 'text/plain');
    const { kind, apiVersion, request } = review;
    const response = toWire(await handler(request), kind === 'ConversionReview');
    const answer = { kind, apiVersion, response: { uid: request['uid'], ...response } };
    return reply(200, JSON.stringify(answer), 'application/json');
  } catch (error) {
    return reply(500, error instanceof Error ? error.message : String(error), 'text/plain');
  }
}

function toWire({ patch, ...response }: ReviewResponse, converts: boolean): object {
  const result = converts ? { result: { status: 'Success' } } : {};
  if (patch === undefined || patch.length === 0) return { ...result, ...response };
  const text = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { ...response, patchType: 'JSONPatch', patch: text };
}

function reply(status: number, body: string, type: string): WebhookReply {
  return { status, headers: { 'content-type': type }, body };
}
