import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { checkServerIdentity } from 'node:tls';
import { goNetworkError } from './go-network-error.ts';
import { TransportError } from './webhook-transport.ts';
import type { WebhookPost, WebhookReply } from './webhook-transport.ts';

/** Posts over TLS, each time on a connection of its own: webhooks are few and their certificates change. */
export async function postOverHttps(post: WebhookPost): Promise<WebhookReply> {
  const { hostname, port } = new URL(post.url);
  // Brackets belong to the URL, not to the address.
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = post.connectTo ?? { host: name, port: port === '' ? 443 : Number(port) };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({ ...address, ...optionsOf(post, name) }, resolve);
      outgoing.on('error', reject);
      outgoing.end(post.body);
    });
    return await readReply(response);
  } catch (error) {
    if (post.signal.aborted) throw new TransportError('context deadline exceeded', { cause: error });
    throw new TransportError(goNetworkError(error, address, name), { cause: error });
  }
}

function optionsOf(post: WebhookPost, name: string): RequestOptions {
  const { host, pathname, search } = new URL(post.url);
  return {
    method: 'POST',
    path: `${pathname}${search}`,
    servername: isIP(name) === 0 ? name : '',
    headers: {
      host,
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(post.body)),
      'user-agent': post.userAgent,
    },
    agent: false,
    signal: post.signal,
    // Behind a Service the certificate is that of the Service, whatever address answers.
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    ...(post.ca === undefined ? {} : { ca: post.ca }),
  };
}

async function readReply(response: IncomingMessage): Promise<WebhookReply> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: response.statusCode ?? 0, headers, body: await text(response) };
}
