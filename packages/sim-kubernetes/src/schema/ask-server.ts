// For tests against a real control plane: one request, one answer, nothing kept.
import { request } from 'node:https';

export type ServerAccess = { readonly url: string; readonly ca: string; readonly token: string };

export type ServerAnswer = { readonly status: number; readonly body: Uint8Array };

/** Sends JSON and reads whatever comes back. */
export async function askServer(
  { url, ca, token }: ServerAccess,
  method: string,
  path: string,
  body?: unknown,
  accept = 'application/json',
): Promise<ServerAnswer> {
  const headers = { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method, ca, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: new Uint8Array(Buffer.concat(chunks)) }),
      );
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export function textOf({ body }: ServerAnswer): string {
  return new TextDecoder().decode(body);
}
