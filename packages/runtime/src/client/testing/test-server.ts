/** For tests: certificates of an authority of our own, an HTTPS server that counts, and files that live in memory. */
// The certificate library needs it and does not load it itself.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FileAccess } from '../../kubeconfig/cluster-access.ts';

export type KeyPair = { readonly cert: string; readonly key: string };
export type Authority = { readonly ca: string; readonly issue: (name: string) => Promise<KeyPair> };

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const validity = { notBefore: new Date(Date.UTC(2020, 0)), notAfter: new Date(Date.UTC(2120, 0)) };

/** Certificates are valid for `localhost`, 127.0.0.1 and the name they are issued to. */
export async function createAuthority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=test authority',
    ...validity,
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  let serial = 1;
  const issue = async (name: string): Promise<KeyPair> => {
    const own = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    serial += 1;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(2, '0'),
      subject: `CN=${name}`,
      issuer: authority.subject,
      ...validity,
      signingAlgorithm: algorithm,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'dns', value: name },
          { type: 'ip', value: '127.0.0.1' },
        ]),
      ],
    });
    const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', own.privateKey), 'PRIVATE KEY');
    return { cert: certificate.toString('pem'), key };
  };
  return { ca: authority.toString('pem'), issue };
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type TestServer = {
  readonly url: string;
  readonly port: number;
  /** How many were made. */
  readonly connections: () => number;
  /** How many are open. */
  readonly openConnections: () => number;
  /** How many requests came. */
  readonly requests: () => number;
  /** What follows decides how requests are answered from now on. */
  readonly answer: (handler: Handler) => void;
  readonly close: () => Promise<void>;
};

/** Asks for a client certificate but does not insist, as an API server does. */
export async function startServer(authority: Authority, pair: KeyPair): Promise<TestServer> {
  let handler: Handler = answerEmpty;
  let connections = 0;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer(
    { ...pair, ca: authority.ca, requestCert: true, rejectUnauthorized: false, keepAliveTimeout: 60_000 },
    (request, response) => {
      requests += 1;
      handler(request, response);
    },
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    openConnections: () => sockets.size,
    requests: () => requests,
    answer: (next) => (handler = next),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answerEmpty: Handler = (_, response) => void response.end('{}');

/** The name in the certificate that the client showed, if it showed one that the authority vouches for. */
export function clientName(request: IncomingMessage): string | undefined {
  const socket = request.socket as TLSSocket;
  return socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined;
}

export type MemoryFiles = FileAccess & {
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly remove: (path: string) => void;
};

export function memoryFiles(): MemoryFiles {
  const files = new Map<string, { text: string; modifiedMs: number }>();
  let changes = 0;
  const find = (path: string): { text: string; modifiedMs: number } => {
    const file = files.get(path);
    if (file === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return file;
  };
  return {
    readFile: async (path) => find(path).text,
    modifiedMs: async (path) => find(path).modifiedMs,
    write: (texts) => {
      changes += 1;
      for (const [path, text] of Object.entries(texts)) files.set(path, { text, modifiedMs: changes });
    },
    remove: (path) => void files.delete(path),
  };
}
