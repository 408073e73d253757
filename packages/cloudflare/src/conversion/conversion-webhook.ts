import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { crdKind, sleep } from '@tributary/runtime';
import type { Clock, KubeClient, Log, Runnable } from '@tributary/runtime';
import { keepCertificates } from './certificate-store.ts';
import type { Certificates } from './certificates.ts';
import { answerReview } from './review.ts';
import { tunnelConverters } from './tunnel-converters.ts';

export type ConversionWebhookOptions = {
  /** Where the operator, its Service and the Secret with the certificates are. */
  readonly namespace: string;
  readonly serviceName?: string;
  readonly secretName?: string;
  readonly port?: number;
  /** How often certificates are looked at. */
  readonly checkMs?: number;
};

export type ConversionWebhookDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update' | 'patch'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Told of the port once the server listens. */
  readonly onListening?: (port: number) => void;
};

const hourMs = 3_600_000;
const retryMs = 60_000;
const longestBody = 64 * 1024 * 1024;

/**
 * Serves `/convert` to the API server on every replica, with certificates of its own that the CRDs are told to trust. Only
 * objects of the older version need it, so what stands in its way is logged and tried again, and stops nothing else.
 */
export function createConversionWebhook(options: ConversionWebhookOptions, deps: ConversionWebhookDeps): Runnable {
  const { checkMs = hourMs } = options;
  const run = async (signal: AbortSignal): Promise<void> => {
    let server: Server | undefined;
    let current: Certificates | undefined;
    while (!signal.aborted) {
      try {
        const next = await prepare(options, deps);
        if (!server) server = await start(next, options, deps);
        else if (next.cert !== current?.cert) server.setSecureContext({ cert: next.cert, key: next.key });
        current = next;
      } catch (error) {
        deps.log.warn({ err: error }, 'the conversion webhook is not in order');
      }
      await sleep(deps.clock, current ? checkMs : retryMs, signal).catch(() => undefined);
    }
    if (server) await stop(server);
  };
  return { name: 'conversion-webhook', runs: 'always', run };
}

async function start(
  { cert, key }: Certificates,
  { port = 9443 }: ConversionWebhookOptions,
  { onListening }: ConversionWebhookDeps,
): Promise<Server> {
  const server = createServer({ cert, key }, (request, response) => {
    void answer(request, response);
  });
  await listen(server, port);
  const address = server.address();
  if (typeof address === 'object' && address) onListening?.(address.port);
  return server;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}

async function prepare(options: ConversionWebhookOptions, deps: ConversionWebhookDeps): Promise<Certificates> {
  const {
    namespace,
    serviceName = 'cloudflare-operator-webhook-service',
    secretName = 'cloudflare-operator-webhook-cert',
  } = options;
  const hosts = [`${serviceName}.${namespace}.svc`, `${serviceName}.${namespace}.svc.cluster.local`];
  const certificates = await keepCertificates({ namespace, name: secretName, hosts }, deps);
  const service = { namespace, name: serviceName, path: '/convert' };
  const caBundle = Buffer.from(certificates.ca).toString('base64');
  for (const name of Object.keys(tunnelConverters)) await trust(name, { service, caBundle }, deps);
  return certificates;
}

type Service = Readonly<Record<'namespace' | 'name' | 'path', string>>;
type ClientConfig = { readonly service: Service; readonly caBundle: string };
type Crd = {
  readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } } };
};

async function trust(name: string, clientConfig: ClientConfig, { client }: ConversionWebhookDeps): Promise<void> {
  const crd = (await client.get(crdKind, { name })) as Crd;
  if (leadsTo(clientConfig, crd.spec?.conversion?.webhook?.clientConfig)) return;
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await client.patch(crdKind, { name }, { type: 'merge', body: { spec: { conversion } } });
}

/** The server adds a port; who applies the CRDs anew sets the Service back and leaves the bundle as it is. */
function leadsTo({ service, caBundle }: ClientConfig, found: Partial<ClientConfig> | undefined): boolean {
  const { namespace, name, path }: Partial<Service> = found?.service ?? {};
  return found?.caBundle === caBundle && isDeepStrictEqual({ namespace, name, path }, service);
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/convert') return finish(response, 404, {});
    finish(response, 200, answerReview(JSON.parse(await read(request))));
  } catch (error) {
    finish(response, 400, { message: error instanceof Error ? error.message : String(error) });
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longestBody) throw new RangeError('the review is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function finish(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
