import type { ServerUnderTest } from './server-under-test.ts';

const token = 'conformance';

/** Loaded on demand, so that a run against the real server needs no line of the embedded one. */
export async function startEmbedded(): Promise<ServerUnderTest> {
  const { startCluster } = await import('../../src/start-cluster.ts');
  const cluster = await startCluster({ tokens: new Map([[token, { username: 'admin', groups: ['system:masters'] }]]) });
  return {
    name: 'sim',
    endpoint: { url: cluster.url, ca: cluster.ca, token },
    compact: async () => cluster.compact(),
    stop: () => cluster.stop(),
  };
}
