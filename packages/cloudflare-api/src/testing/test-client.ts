/** For tests: a client on a simulated clock against a stub server, and everything it measured and logged. */
import type { Log } from '@tributary/runtime';
import { createCloudflareClient } from '../create-cloudflare-client.ts';
import type { CloudflareClient, CloudflareClientDeps, CloudflareClientOptions } from '../create-cloudflare-client.ts';
import type { Credential } from '../credential.ts';
import type { ApiMetrics, BudgetMeasure, CallMeasure } from '../metrics/api-metrics.ts';
import { createConnectionPool } from '../pipeline/connection-pool.ts';
import { startStubServer } from './stub-server.ts';
import type { Responder, StubServer } from './stub-server.ts';

export const testToken: Credential = { kind: 'token', token: 'v1.0-secret-token-of-the-tests' };

export type LogEntry = {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
};

export type TestWorld = {
  readonly client: CloudflareClient;
  readonly server: StubServer;
  readonly calls: readonly CallMeasure[];
  readonly waits: readonly { readonly priority: string; readonly waitedMs: number }[];
  readonly budgets: readonly BudgetMeasure[];
  readonly forgotten: readonly string[];
  readonly lines: readonly LogEntry[];
  readonly close: () => Promise<void>;
};

export async function startTestWorld(
  respond: Responder,
  deps: Pick<CloudflareClientDeps, 'clock' | 'faults'>,
  options: Partial<CloudflareClientOptions> = {},
): Promise<TestWorld> {
  const server = await startStubServer(respond);
  const pool = createConnectionPool();
  const { metrics, ...measured } = recordMetrics();
  const { log, lines } = recordLog();
  const client = createCloudflareClient(
    { credential: testToken, baseUrl: server.baseUrl, ...options },
    { ...deps, fetch: pool.fetch, log, metrics },
  );
  const close = async (): Promise<void> => {
    client.close();
    await server.close();
    await pool.close();
  };
  return { client, server, ...measured, lines, close };
}

type Recorded = Pick<TestWorld, 'calls' | 'waits' | 'budgets' | 'forgotten'> & { readonly metrics: ApiMetrics };

function recordMetrics(): Recorded {
  const calls: CallMeasure[] = [];
  const waits: { priority: string; waitedMs: number }[] = [];
  const budgets: BudgetMeasure[] = [];
  const forgotten: string[] = [];
  const metrics: ApiMetrics = {
    call: (measure) => void calls.push(measure),
    waited: (measure) => void waits.push(measure),
    budget: (measure) => void budgets.push(measure),
    forget: (id) => void forgotten.push(id),
  };
  return { calls, waits, budgets, forgotten, metrics };
}

function recordLog(): { readonly log: Log; readonly lines: readonly LogEntry[] } {
  const lines: LogEntry[] = [];
  const line =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void lines.push({ level, fields, message });
  const log: Log = {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: () => log,
  };
  return { log, lines };
}
