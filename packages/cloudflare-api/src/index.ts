// The public face of layer 6.

export { createCloudflareClient, defaultBaseUrl } from './create-cloudflare-client.ts';
export type { CloudflareClient, CloudflareClientDeps, CloudflareClientOptions } from './create-cloudflare-client.ts';
export { createClientPool } from './client-pool.ts';
export type { ClientPool, ClientPoolOptions } from './client-pool.ts';
export { createConnectionPool } from './pipeline/connection-pool.ts';
export type { ConnectionPool, ConnectionPoolOptions } from './pipeline/connection-pool.ts';
export { bearerHeader } from './pipeline/with-credential.ts';
export type { Answer, Call, Layer, Send } from './pipeline/call.ts';
export type { ApiFetch, Timeouts } from './pipeline/transport.ts';
export type { CloudflareApi } from './sdk/resources.ts';
export { credentialId } from './credential.ts';
export type { Credential } from './credential.ts';

export { listAll } from './list-all.ts';
export type { Page } from './list-all.ts';
export { editZoneSettings, listZoneSettings } from './zone-settings.ts';
export type { ZoneSetting } from './zone-settings.ts';

export { CloudflareError, isCloudflareError } from './errors/cloudflare-error.ts';
export type { CloudflareErrorFields, Effect } from './errors/cloudflare-error.ts';
export type { ApiMessage } from './errors/envelope.ts';
export type { ErrorClass } from './errors/error-class.ts';
export type { Family } from './errors/family.ts';

export type { BudgetOptions, BudgetSnapshot } from './budget/create-budget.ts';
export type { Priority } from './budget/priority.ts';
export type { ApiMetrics, BudgetMeasure, CallMeasure } from './metrics/api-metrics.ts';
export { noMetrics } from './metrics/api-metrics.ts';
export { createPrometheusMetrics } from './metrics/prometheus-metrics.ts';
