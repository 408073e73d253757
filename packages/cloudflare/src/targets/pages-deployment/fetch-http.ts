import { OperatorError } from '@tributary/runtime';
import type { Call } from '../../engine/l5-sync/target.ts';
import type { FileSource } from './contract.ts';
import type { Fetched } from './fetched.ts';

type HttpSource = Extract<FileSource, { readonly type: 'http' }>;

const longestMs = 5 * 60_000;

export async function fetchHttp(source: HttpSource, call: Call): Promise<Fetched> {
  const { url, headers, own, timeoutMs = longestMs } = source;
  const secret = headers ? await secretAt(headers, call) : {};
  const inline = own ? await secretAt(own, call) : {};
  const named = Object.entries(inline).flatMap(([entry, value]) =>
    entry.startsWith('header.') ? [[entry.slice('header.'.length), value] as const] : [],
  );
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
  const sent = { ...Object.fromEntries(named), ...secret };
  const response = await answerOf(call.download(`${url}${inline['query'] ?? ''}`, { headers: sent, signal }), url);
  return { bytes: await bytesOf(response, url), name: new URL(url).pathname };
}

/** What a Secret holds; it must be there. */
export async function secretAt(
  place: { readonly namespace: string; readonly name: string },
  { readSecret }: Pick<Call, 'readSecret'>,
): Promise<Readonly<Record<string, string>>> {
  const data = await readSecret(place);
  if (data) return data;
  throw unfetched(`the Secret ${place.namespace}/${place.name} is not there`);
}

/** A good answer. What went wrong is told without what was sent. */
export async function answerOf(
  asked: Promise<Response>,
  what: string,
  allowed: readonly number[] = [],
): Promise<Response> {
  const response = await asked.catch((error: unknown) => {
    throw unfetched(`${what} could not be reached`, error);
  });
  if (response.ok || allowed.includes(response.status)) return response;
  throw unfetched(`${what} answers with ${response.status}`);
}

export async function bytesOf(response: Response, what: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw unfetched(`${what} could not be read to its end`, error);
  }
}

export function unfetched(message: string, cause?: unknown): OperatorError {
  return new OperatorError('pages/download', message, { kind: 'backoff' }, { cause });
}
