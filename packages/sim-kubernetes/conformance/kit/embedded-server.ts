import type { ServerUnderTest } from './server.ts';

/** Loaded on demand, so that a run against the real server needs no line of the embedded one. */
export async function startEmbedded(): Promise<ServerUnderTest> {
  const { startCluster } = await import('../../src/start-cluster.ts');
  const cluster = await startCluster();
  return {
    name: 'sim',
    endpoint: { url: cluster.url, ca: cluster.ca, token: cluster.token },
    compact: async () => cluster.compact(),
    stop: () => cluster.stop(),
  };
}
