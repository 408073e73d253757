import { Agent, fetch as undiciFetch } from 'undici';
import type { RequestInit } from 'undici';
import type { ApiFetch } from './transport.ts';

export type ConnectionPoolOptions = {
  /** Connections to one host, shared by all credentials. */
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly keepAliveMs?: number;
};

export type ConnectionPool = {
  readonly fetch: ApiFetch;
  /** Waits for what is under way; nothing can be sent afterwards. */
  readonly close: () => Promise<void>;
};

/**
 * Connections that are kept and shared. HTTP/1.1 only: undici does not notice when an HTTP/2 session has become a black
 * hole. Its own timeouts are off, the pipeline has them on its clock.
 */
export function createConnectionPool(options: ConnectionPoolOptions = {}): ConnectionPool {
  const agent = new Agent({
    allowH2: false,
    connections: options.maxConnections ?? 20,
    keepAliveTimeout: options.keepAliveMs ?? 20_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
  });
  return {
    fetch: async (url, init) => undiciFetch(url, { ...(init as RequestInit), dispatcher: agent }),
    close: async () => agent.close(),
  };
}
