import { isMap } from '../refs/tunnels/strategic-merge.ts';
import type { Json } from '../refs/tunnels/strategic-merge.ts';
import { convertTunnel } from './convert-tunnel.ts';

type Request = { readonly uid?: unknown; readonly desiredAPIVersion?: unknown; readonly objects?: unknown };

/** Answers a ConversionReview of the API server. A list is converted as a whole or not at all. */
export function answerReview(review: unknown): Json {
  const { request = {} } = (isMap(review) ? review : {}) as { readonly request?: Request };
  const { uid = '', desiredAPIVersion, objects } = request;
  const head = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };
  try {
    const given: readonly unknown[] = Array.isArray(objects) ? objects : [];
    const convertedObjects = given.map((object) => convertTunnel(object as Json, String(desiredAPIVersion)));
    return { ...head, response: { uid, convertedObjects, result: { status: 'Success' } } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...head, response: { uid, result: { status: 'Failure', message } } };
  }
}
