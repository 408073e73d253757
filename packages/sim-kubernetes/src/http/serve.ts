import { createHash } from 'node:crypto';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { listen } from '@tributary/sim-kit';
import type { Listening } from '@tributary/sim-kit';
import type { ClientCertificate } from '../auth/client-certificate.ts';
import { joinRepeated } from './api-request.ts';
import type { ApiHandler, ApiRequest, ApiResponse, StreamSink } from './api-request.ts';
import type { CertifiedKey } from '@tributary/runtime/certificates';
import { longestBody } from './decode-body.ts';

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  readonly tls: CertifiedKey;
  /** Whose certificates of callers are believed, as PEM. */
  readonly clientCa?: string;
};

/** Smaller answers cost more to pack than to send. */
const gzipFromBytes = 128 * 1024;
/** A reader of a watch that is this far behind is cut off, as it would be by the server's own buffers. */
const slowReaderBytes = 16 * 1024 * 1024;

const pack = promisify(gzip);
const nothing = new Uint8Array();

/** Puts a handler behind HTTPS. */
export async function serve(handler: ApiHandler, { port, host, tls, clientCa }: ServeOptions): Promise<Listening> {
  // A caller may show a certificate; whether it counts is for authentication to say.
  const callers = clientCa === undefined ? {} : { requestCert: true, rejectUnauthorized: false, ca: clientCa };
  const server = createServer(
    { cert: tls.certificate, key: tls.key, ALPNProtocols: ['http/1.1'], ...callers },
    (incoming, outgoing) => {
      answer(handler, incoming, outgoing).catch(() => incoming.socket.destroy());
    },
  );
  // Watches are requests without an end.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 90_000;
  return listen(server, { port, host });
}

async function answer(handler: ApiHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('the caller went away'));
  });
  const body = await readBody(incoming);
  const response = await handler(toRequest(incoming, body, gone.signal));
  if (gone.signal.aborted) return;
  if (response.kind === 'stream') writeStream(response, outgoing);
  else await writeBody(response, incoming, outgoing);
}

function toRequest(incoming: IncomingMessage, body: Uint8Array, signal: AbortSignal): ApiRequest {
  const [path, query] = splitOnce(incoming.url ?? '/', '?');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined) continue;
    if (name.startsWith('impersonate-')) headers[name] = joinRepeated(incoming.headersDistinct[name] ?? []);
    else headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const certificate = clientCertificate(incoming.socket as TLSSocket);
  const { method = 'GET', url, socket } = incoming;
  const { remoteAddress } = socket;
  return { method, path, url, query: new URLSearchParams(query), headers, body, signal, certificate, remoteAddress };
}

/** Connections are used again and again; what they showed at their beginning is read once. */
const shown = new WeakMap<TLSSocket, ClientCertificate | undefined>();

function clientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  if (shown.has(socket)) return shown.get(socket);
  const certificate = readCertificate(socket);
  shown.set(socket, certificate);
  return certificate;
}

function readCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const { subject, raw } = socket.getPeerCertificate();
  // Without a certificate there is an empty object.
  if ((raw as Buffer | undefined) === undefined) return undefined;
  const organizations = subject.O === undefined ? [] : [subject.O].flat();
  const fingerprint = createHash('sha256').update(raw).digest('hex');
  return { trusted: socket.authorized, commonName: [subject.CN].flat()[0] ?? '', organizations, fingerprint };
}

export function splitOnce(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)];
}

/** What is too much is not kept: one chunk above the limit is enough for the handler to see it. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const { method } = incoming;
  if (method === 'GET' || method === 'HEAD') return nothing;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return new Promise<Uint8Array>((resolve, reject) => {
    incoming.on('data', (chunk: Uint8Array) => {
      if (bytes <= longestBody) chunks.push(chunk);
      bytes += chunk.byteLength;
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? nothing) : Buffer.concat(chunks)));
    incoming.once('error', reject);
  });
}

async function writeBody(
  { status, headers, body }: Extract<ApiResponse, { readonly kind: 'body' }>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const length = Buffer.byteLength(body);
  const packs = length > gzipFromBytes && /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '');
  if (!packs) {
    outgoing.writeHead(status, { ...headers, 'content-length': length });
    // Text leaves in one piece with the headers; bytes would be a second write.
    outgoing.end(body);
    return;
  }
  const packed = await pack(body, { level: constants.Z_BEST_SPEED });
  const vary = { 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-length': packed.byteLength };
  outgoing.writeHead(status, { ...headers, ...vary });
  outgoing.end(packed);
}

function writeStream(response: Extract<ApiResponse, { readonly kind: 'stream' }>, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, response.headers);
  outgoing.flushHeaders();
  const sink: StreamSink = {
    write: (chunk) => {
      outgoing.write(chunk);
      return outgoing.writableLength < slowReaderBytes;
    },
    end: () => void outgoing.end(),
    reset: () => void outgoing.socket?.resetAndDestroy(),
  };
  const stop = response.open(sink);
  outgoing.once('close', stop);
}
