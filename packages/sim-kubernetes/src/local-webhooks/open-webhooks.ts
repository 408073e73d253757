import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { issueCertificate } from '@tributary/runtime/certificates';
import { listen } from '@tributary/sim-kit';
import { postOverHttps } from '../webhook-client/https-transport.ts';
import type { WebhookTransport } from '../webhook-client/webhook-transport.ts';
import { answerReview } from './review-handler.ts';
import type { ReviewHandlers } from './review-handler.ts';
import type { WebhookPlace } from './point-to-place.ts';

export type WebhookOptions = {
  /** Files and folders with webhook configurations; what else is in them is passed over. */
  readonly paths?: readonly string[];
  /** Webhook configurations as objects. */
  readonly configurations?: readonly object[];
  /** What answers, by path: a server with these is started and stopped with the cluster. */
  readonly handlers?: ReviewHandlers;
  /** Where a server of your own listens, or will: start it with the certificate and key of `cluster.webhooks`. */
  readonly port?: number;
  /** 127.0.0.1 when absent. */
  readonly host?: string;
};

/** Where the webhooks of the cluster are expected, and with what a server there must show who it is. */
export type LocalWebhooks = WebhookPlace & {
  readonly host: string;
  readonly port: number;
  /** All of them PEM; empty when the cluster has no sockets. */
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
};

export type OpenedWebhooks = {
  readonly place: LocalWebhooks;
  /** How the API server gets there, where that is not over TLS. */
  readonly transport: WebhookTransport | undefined;
  readonly close: () => Promise<void>;
};

const authorityName = 'tributary-webhooks-ca';
const inProcess = 'https://webhooks.in-process';

/** Gets ready for local webhooks: certificates, and a server for the handlers if there are any. */
export async function openWebhooks(options: WebhookOptions, sockets: boolean): Promise<OpenedWebhooks> {
  const { handlers, host = '127.0.0.1' } = options;
  if (!sockets && options.port === undefined) return withoutSockets(handlers ?? {});
  if (handlers === undefined && options.port === undefined) {
    throw new Error('webhooks need handlers, or the port of a server that answers');
  }
  const authority = issueCertificate({ commonName: authorityName, usage: 'authority', nowMs: Date.now() });
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', host])];
  const { certificate, key } = issueCertificate(
    { commonName: 'webhooks', hosts, usage: 'server', nowMs: Date.now() },
    { ...authority, name: authorityName },
  );
  const listening = handlers && (await serveHandlers(handlers, { certificate, key, host, port: options.port ?? 0 }));
  const port = listening?.port ?? options.port ?? 0;
  const ca = authority.certificate;
  const place = { host, port, certificate, key, ca, caBundle: Buffer.from(ca).toString('base64') };
  return {
    place: { ...place, url: `https://${host.includes(':') ? `[${host}]` : host}:${port}` },
    transport: undefined,
    close: async () => listening?.close(),
  };
}

type Serving = { readonly certificate: string; readonly key: string; readonly host: string; readonly port: number };

function serveHandlers(handlers: ReviewHandlers, { certificate, key, host, port }: Serving): ReturnType<typeof listen> {
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    text(incoming)
      .then((body) => answerReview(handlers, path, body))
      .then(({ status, headers, body }) => outgoing.writeHead(status, headers).end(body))
      .catch(() => outgoing.destroy());
  });
  return listen(server, { host, port });
}

/** In a simulation the handlers are called as the functions that they are. */
function withoutSockets(handlers: ReviewHandlers): OpenedWebhooks {
  return {
    place: { url: inProcess, host: '', port: 0, certificate: '', key: '', ca: '', caBundle: undefined },
    transport: (post) => {
      const { origin, pathname } = new URL(post.url);
      return origin === inProcess ? answerReview(handlers, pathname, post.body) : postOverHttps(post);
    },
    close: async () => undefined,
  };
}
