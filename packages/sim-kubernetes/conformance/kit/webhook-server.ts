import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { issueCertificate } from '@tributary/runtime/certificates';
import type { Loose } from './loose.ts';

/** A question as it came in. */
export type Asked = { readonly path: string; readonly body: Loose; readonly headers: Loose };

export type WebhookServer = {
  readonly url: string;
  readonly caBundle: string;
  /** What was asked at a path, oldest first. */
  readonly asked: (path: string) => readonly Asked[];
  /** What answers at a path from now on: with a body, or with status, text and type. May be called again. */
  readonly on: (path: string, answer: (asked: Asked) => Loose) => void;
  readonly close: () => Promise<void>;
};

/** An HTTPS server on a free port of 127.0.0.1, which both API servers can reach. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const authority = issueCertificate({ commonName: 'webhooks', usage: 'authority', nowMs: Date.now() });
  const { certificate, key } = issueCertificate(
    { commonName: 'webhook', hosts: ['127.0.0.1', 'localhost'], usage: 'server', nowMs: Date.now() },
    { ...authority, name: 'webhooks' },
  );
  const answers = new Map<string, Parameters<WebhookServer['on']>[1]>();
  const log: Asked[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const asked = { path, body: JSON.parse(await text(incoming)), headers: { ...incoming.headers, url: incoming.url } };
    log.push(asked);
    const answer = await answers.get(path)?.(asked);
    if (answer?.text === undefined) {
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify(answer));
    } else outgoing.writeHead(answer.status, { 'content-type': answer.type ?? 'text/plain' }).end(answer.text);
  };
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    // A caller that has gone away wants no answer.
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Those in the middle of a handshake are not yet among the server's connections, and would keep it open.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    asked: (path) => log.filter((asked) => asked.path === path),
    on: (path, answer) => void answers.set(path, answer),
    close: async () => {
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** An answer to an AdmissionReview. */
export function verdict({ body }: Asked, response: Loose): Loose {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: body.request.uid, ...response },
  };
}

export const allow = (asked: Asked): Loose => verdict(asked, { allowed: true });

/** An answer that changes the object. */
export function patchWith(asked: Asked, operations: readonly Loose[]): Loose {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return verdict(asked, { allowed: true, patchType: 'JSONPatch', patch });
}
