import type { CloudflareClient, Priority } from '@tributary/cloudflare-api';
import { isNotFound, secretKind } from '@tributary/runtime';
import type { Clock, KubeClient } from '@tributary/runtime';
import type { Call, ClusterReads, Download } from './target.ts';

/** Reads what is there at this moment, past every cache: a secret that was just changed must not be sent as it was. */
export function createClusterReads({
  client,
  clock,
  download,
}: {
  readonly client: Pick<KubeClient, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly download: Download;
}): ClusterReads {
  return {
    download,
    now: () => clock.now(),
    readSecret: async ({ namespace, name }) => {
      try {
        const { data = {} } = await client.get(secretKind, { namespace, name });
        const entries = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
        return Object.fromEntries(entries) as Record<string, string>;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
  };
}

export type CallParts = {
  readonly api: CloudflareClient;
  readonly priority: Priority;
  readonly signal: AbortSignal;
  readonly reads: ClusterReads;
  readonly keepSecret: Call['keepSecret'];
};

export function toCall({ api, priority, signal, reads, keepSecret }: CallParts): Call {
  return { ...reads, keepSecret, api: api.withPriority(priority), signal };
}
