/** One credential's way to the Cloudflare API: the SDK on a pipeline with one budget, whatever the priority. */
import { OperatorError, silentLog } from '@tributary/runtime';
import type { Clock, Log } from '@tributary/runtime';
import { createBudget } from './budget/create-budget.ts';
import type { BudgetOptions, BudgetSnapshot } from './budget/create-budget.ts';
import { priorities } from './budget/priority.ts';
import type { Priority } from './budget/priority.ts';
import { credentialId, credentialSecrets } from './credential.ts';
import type { Credential } from './credential.ts';
import { noMetrics } from './metrics/api-metrics.ts';
import type { ApiMetrics } from './metrics/api-metrics.ts';
import { stack } from './pipeline/call.ts';
import type { Layer, Send } from './pipeline/call.ts';
import { createTransport } from './pipeline/transport.ts';
import type { ApiFetch, Timeouts } from './pipeline/transport.ts';
import { withBudget } from './pipeline/with-budget.ts';
import { withCredential } from './pipeline/with-credential.ts';
import { withJudgement } from './pipeline/with-judgement.ts';
import { withPathGuard } from './pipeline/with-path-guard.ts';
import { withTelemetry } from './pipeline/with-telemetry.ts';
import { createApi } from './sdk/create-api.ts';
import type { CloudflareApi } from './sdk/resources.ts';

export const defaultBaseUrl = 'https://api.cloudflare.com/client/v4';

/** The day whose behaviour of the API we were written for. */
const apiVersion = '2026-10-15';

export type CloudflareClientOptions = {
  readonly credential: Credential;
  readonly baseUrl?: string;
  readonly userAgent?: string;
  readonly timeouts?: Partial<Timeouts>;
  readonly budget?: BudgetOptions;
};

export type CloudflareClientDeps = {
  /** Usually that of a connection pool. */
  readonly fetch: ApiFetch;
  readonly clock: Clock;
  readonly log?: Log;
  readonly metrics?: ApiMetrics;
  /** For tests: stands next to the network and can spoil what passes. */
  readonly faults?: Layer;
};

export type CloudflareClient = CloudflareApi & {
  readonly credentialId: string;
  /** The same client, whose calls wait their turn with that priority. A new client's calls are a person's change. */
  readonly withPriority: (priority: Priority) => CloudflareClient;
  readonly budget: () => BudgetSnapshot;
  /** Ends what is under way or waiting, and refuses what comes later. */
  readonly close: () => void;
};

export function createCloudflareClient(options: CloudflareClientOptions, deps: CloudflareClientDeps): CloudflareClient {
  const { clock, metrics = noMetrics } = deps;
  const id = credentialId(options.credential);
  const budget = createBudget(options.budget ?? {}, { clock });
  const send = createPipeline(options, { ...deps, budget });
  const closing = new AbortController();
  const baseUrl = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/u, '');

  const shared = {
    credentialId: id,
    budget: budget.snapshot,
    withPriority: (priority: Priority) => clients[priority],
    close: () => {
      closing.abort(new OperatorError('cloudflare/closed', 'the Cloudflare client was closed', { kind: 'backoff' }));
      metrics.forget(id);
    },
  };
  const build = (priority: Priority): CloudflareClient =>
    Object.assign(createApi({ baseUrl, priority, closed: closing.signal }, { send }), shared);
  const clients = Object.fromEntries(priorities.map((priority) => [priority, build(priority)])) as {
    readonly [P in Priority]: CloudflareClient;
  };
  return clients.change;
}

const defaultTimeouts: Timeouts = { answerMs: 30_000, bodyMs: 60_000 };

function createPipeline(
  { credential, userAgent = 'tributary', timeouts }: CloudflareClientOptions,
  {
    fetch,
    clock,
    log = silentLog,
    metrics = noMetrics,
    faults = (next) => next,
    budget,
  }: CloudflareClientDeps & {
    readonly budget: ReturnType<typeof createBudget>;
  },
): Send {
  const id = credentialId(credential);
  return stack(
    createTransport({ ...defaultTimeouts, ...timeouts }, { fetch, clock }),
    withPathGuard,
    withBudget({ credentialId: id }, { budget, metrics, log }),
    withTelemetry({ credentialId: id }, { metrics, log, clock }),
    withJudgement({ secrets: credentialSecrets(credential) }, { clock }),
    withCredential({ credential, userAgent, apiVersion }),
    faults,
  );
}
