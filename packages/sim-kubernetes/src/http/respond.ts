import { ApiError, internalError } from '../registry/api-error.ts';
import type { StatusBody } from '../registry/api-error.ts';
import { goJson } from '../schema/go-format.ts';
import type { ApiResponse } from './api-request.ts';
import type { Negotiated } from './negotiate.ts';

type BodyResponse = Extract<ApiResponse, { readonly kind: 'body' }>;

/** JSON text as the caller wants it: as it is, indented, or as YAML. */
export function respondJson(
  status: number,
  json: string,
  { format, pretty }: Pick<Negotiated, 'format' | 'pretty'>,
  warnings: readonly string[] = [],
): BodyResponse {
  const headers: Record<string, string> = {
    'cache-control': 'no-cache, private',
    'content-type': format === 'yaml' ? 'application/yaml' : 'application/json',
  };
  if (warnings.length > 0) headers['warning'] = warnings.map((text) => `299 - ${quoted(text)}`).join(', ');
  return { kind: 'body', status, headers, body: pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n` };
}

export function respondText(status: number, body: string, contentType = 'text/plain; charset=utf-8'): BodyResponse {
  return {
    kind: 'body',
    status,
    headers: { 'cache-control': 'no-cache, private', 'content-type': contentType, 'x-content-type-options': 'nosniff' },
    body,
  };
}

export function respondError(
  error: unknown,
  negotiated?: Pick<Negotiated, 'format' | 'pretty'>,
  warnings: readonly string[] = [],
): BodyResponse {
  const known = error instanceof ApiError ? error : internalError(error instanceof Error ? error.message : 'unknown');
  const status: StatusBody = known.toStatus();
  const form = negotiated ?? { format: 'json', pretty: false };
  const response = respondJson(known.status, JSON.stringify(status), form, warnings);
  const retryAfter = known.details?.retryAfterSeconds;
  if (retryAfter === undefined || retryAfter === 0) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfter) } };
}

/** Writes the body anew where YAML was asked for. The writer is loaded by the first answer that needs it. */
export async function presentYaml(response: ApiResponse): Promise<ApiResponse> {
  if (response.kind !== 'body' || response.headers['content-type'] !== 'application/yaml') return response;
  const { toYaml } = await import('@tributary/runtime/to-yaml');
  return { ...response, body: toYaml(JSON.parse(goJson(JSON.parse(response.body.toString())))) };
}

/** A quoted-string of HTTP: no line breaks and nothing that is not ASCII. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not get into a header
  const safe = text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
  return `"${encodeLatin(safe).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Node refuses characters above U+00FF in headers; the bytes of their UTF-8 form are what Go sends. */
function encodeLatin(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
