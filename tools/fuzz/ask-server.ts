import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { FuzzRequest } from './requests.ts';

/** Status 0: there was no answer. */
export type Reply = { readonly status: number; readonly text: string };

export type AskServer = {
  readonly ask: (request: FuzzRequest) => Promise<Reply>;
  readonly close: () => void;
};

type Endpoint = { readonly url: string; readonly ca: string; readonly token: string };

const limitMs = 20_000;

/** Sends requests as they are. A watch is left as soon as it is granted. */
export function createAskServer({ url, ca, token }: Endpoint): AskServer {
  const agent = new Agent({ keepAlive: true, ca });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        const fail = (error: Error): void => resolve({ status: 0, text: error.message });
        const query = request.query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
        const target = new URL(url);
        const outgoing = httpsRequest(
          {
            host: target.hostname,
            port: target.port,
            // As it is: a URL would tidy it up.
            path: query === '' ? request.path : `${request.path}?${query}`,
            method: request.method,
            agent,
            headers: headersOf(request, token),
            timeout: limitMs,
          },
          (response) => {
            readReply(response, isWatch(request)).then(resolve, fail);
          },
        );
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${limitMs} ms`)));
        outgoing.on('error', fail);
        outgoing.end(request.body);
      }),
    close: () => agent.destroy(),
  };
}

function headersOf({ headers, body }: FuzzRequest, token: string): Record<string, string> {
  const all: Record<string, string> = { authorization: `Bearer ${token}`, ...headers };
  if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== '' || name !== 'authorization'));
}

function isWatch({ path, query }: FuzzRequest): boolean {
  return path.includes('/watch/') || query.some(([key]) => key === 'watch');
}

async function readReply(response: IncomingMessage, watching: boolean): Promise<Reply> {
  const status = response.statusCode ?? 0;
  const type = response.headers['transfer-encoding'];
  if (watching && status === 200 && type === 'chunked') {
    response.destroy();
    return { status, text: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status, text: Buffer.concat(chunks).toString() };
}
