/** For tests: a transport to an HTTPS server of its own on a simulated clock, closed when the test is over. */
import { onTestFinished } from 'vitest';
import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { staticAuth } from '../../kubeconfig/cluster-access.ts';
import { createAuthority, memoryFiles, startServer } from './test-server.ts';
import type { Authority, MemoryFiles, TestServer } from './test-server.ts';
import type { HttpHead, HttpRequest, Transport } from '../transport.ts';
import { createUndiciTransport } from '../undici-transport.ts';
import type { UndiciTransportOptions } from '../undici-transport.ts';

export type Connected = {
  readonly transport: Transport;
  readonly server: TestServer;
  readonly clock: SimulatedClock;
  readonly files: MemoryFiles;
  readonly authority: Authority;
};

export type ConnectOptions = Omit<UndiciTransportOptions, 'access'> & {
  readonly access?: Partial<UndiciTransportOptions['access']>;
  /** The path in the server's URL. */
  readonly below?: string;
};

let shared: Promise<Authority> | undefined;

export async function connect({ access, below = '', ...options }: ConnectOptions = {}): Promise<Connected> {
  const authority = await (shared ??= createAuthority());
  const server = await startServer(authority, await authority.issue('api'));
  const clock = createSimulatedClock();
  const files = memoryFiles();
  const defaults = { server: `${server.url}${below}`, tls: { ca: { data: authority.ca } }, auth: staticAuth() };
  const transport = createUndiciTransport({ ...options, access: { ...defaults, ...access } }, { ...files, clock });
  onTestFinished(async () => {
    await transport.close();
    await server.close();
  });
  return { transport, server, clock, files, authority };
}

export const get: HttpRequest = { method: 'GET', path: '/x' };

export function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

export type OpenStream = {
  readonly heads: readonly HttpHead[];
  readonly chunks: readonly string[];
  /** Resolves when so many pieces have come. */
  readonly heard: (count: number) => Promise<void>;
  /** `clean end`, or the error that broke it. */
  readonly ended: Promise<unknown>;
};

export function open(transport: Transport, request: Partial<HttpRequest> = {}): OpenStream {
  const heads: HttpHead[] = [];
  const chunks: string[] = [];
  let notify = (): unknown => chunks.length;
  const handler = {
    onHead: (head: HttpHead) => void heads.push(head),
    onChunk: (chunk: Uint8Array) => {
      chunks.push(textOf(chunk));
      notify();
    },
  };
  const ended = transport.stream({ ...get, ...request }, handler).then(
    () => 'clean end',
    (error: unknown) => error,
  );
  const heard = async (count: number): Promise<void> =>
    new Promise((resolve) => {
      notify = () => chunks.length >= count && resolve();
      notify();
    });
  return { heads, chunks, heard, ended };
}
