import { createConnectionPool, createPrometheusMetrics } from '@tributary/cloudflare-api';
import { OperatorError, runOperator } from '@tributary/runtime';
import type { OperatorFlags, OperatorHost } from '@tributary/runtime';
import { contributors } from './catalog.ts';
import { createConversionWebhook } from './conversion/conversion-webhook.ts';
import type { AnyContributor } from './engine/l2-controllers/contributor.ts';
import { defineTunnelBindingContributor, tunnelBindingContributor } from './kinds/tunnel-binding/contribute.ts';
import { createCloudflareOperator } from './operator.ts';
import type { CloudflareOperatorOptions } from './operator.ts';

/** The flags of the Go operator where it has them, with its defaults. */
export type CloudflareFlags = OperatorFlags & {
  readonly clusterResourceNamespace?: string | undefined;
  readonly watchNamespaces: readonly string[];
  readonly debounceMs: number;
  readonly maxWaitMs: number;
  readonly driftIntervalMs: number;
  readonly maxDeletions: number;
  readonly maxDeletionShare: number;
  readonly overwriteUnmanagedDns?: boolean | undefined;
};

/** Requests of the operator carry this name. */
const userAgent = 'tributary-cloudflare';
const leaseName = '9f193cf8.cloudflare-operator.io';

/** The operator as a program. */
export async function runCloudflare(flags: CloudflareFlags, host: OperatorHost): Promise<void> {
  const options = toOperatorOptions(flags, host.env);
  const { operatorNamespace: namespace } = options;
  const connections = createConnectionPool();
  await runOperator(
    {
      name: userAgent,
      flags,
      lease: { namespace, name: leaseName },
      build: (parts) => [
        ...(host.env['ENABLE_WEBHOOKS'] === 'false' ? [] : [createConversionWebhook({ namespace }, parts.connection)]),
        ...createCloudflareOperator(options, {
          ...parts,
          fetch: connections.fetch,
          apiMetrics: createPrometheusMetrics(parts.metrics.registry),
        }),
      ],
    },
    host,
  );
}

/** What flags and environment say to the operator. */
export function toOperatorOptions(flags: CloudflareFlags, env: OperatorHost['env']): CloudflareOperatorOptions {
  return {
    operatorNamespace: flags.clusterResourceNamespace ?? env['POD_NAMESPACE'] ?? 'cloudflare-operator-system',
    ...(flags.overwriteUnmanagedDns && { contributors: overwriting(contributors) }),
    watchNamespaces: flags.watchNamespaces,
    debounce: { quietMs: flags.debounceMs, maxMs: flags.maxWaitMs },
    driftMs: flags.driftIntervalMs,
    breaker: { most: flags.maxDeletions, share: flags.maxDeletionShare / 100 },
    baseUrl: checkedUrl(env['CLOUDFLARE_API_BASE_URL']),
    identity: env['POD_NAME'] ?? '',
  };
}

/** Wrong, it would show as calls that nobody answers. */
function checkedUrl(text: string | undefined): string | undefined {
  if (!text || (/^https?:/.test(text) && URL.canParse(text))) return text || undefined;
  const message = `CLOUDFLARE_API_BASE_URL: "${text}" is no address such as https://api.cloudflare.com/client/v4`;
  throw new OperatorError('cloudflare/bad-base-url', message, { kind: 'never' });
}

/** Bindings may take over records that no operator has made. */
function overwriting(all: readonly AnyContributor[]): readonly AnyContributor[] {
  const bold = defineTunnelBindingContributor({ overwriteUnmanagedDns: true });
  return all.map((contributor) => (contributor === tunnelBindingContributor ? bold : contributor));
}
