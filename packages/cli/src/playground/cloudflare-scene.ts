import { resolve } from 'node:path';
import { allKinds, createCloudflareOperator, tunnelConverters } from '@tributary/cloudflare';
import { createOpenFence, defineKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { Connection, Kind } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { JournalEntry, SimCloudflare } from '@tributary/sim-cloudflare';
import { isReadyByCondition, readExamples } from './read-examples.ts';
import type { Scene } from './scene.ts';

const namespace = 'cloudflare-operator-system';
const examples = resolve(import.meta.dirname, '../../../../examples/cloudflare');
const deploymentKind = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});
const ingressKind = defineKind({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  scope: 'Namespaced',
});

/** The Cloudflare operator, with the API simulated. */
export const cloudflareScene: Scene = {
  name: 'cloudflare',
  customKinds: allKinds,
  converters: tunnelConverters,
  open: async ({ connection, tell, kindOf }) => {
    const sim = await startSimCloudflare();
    const stopTelling = sim.journal.listen((entry) => tell(toLine(entry)));
    await installToken(connection, sim);
    const stop = new AbortController();
    const operators = createCloudflareOperator(
      { operatorNamespace: namespace, baseUrl: sim.url, driftMs: 0 },
      { connection, leader: connection, fence: createOpenFence(stop.signal), isLeader: () => true, fetch: sim.fetch },
    );
    return {
      operators,
      examples: readExamples(examples, kindOf),
      isReady: isReadyByCondition(allKinds),
      shown: [ingressKind, deploymentKind] as readonly Kind[],
      facts: [`The Cloudflare API is simulated at ${sim.url} (token ${sim.token})`],
      tryThis: tryThis(sim),
      providerCalls: () => sim.journal.count(),
      close: async () => {
        stopTelling();
        stop.abort();
        await sim.stop();
      },
    };
  },
};

/** The examples name credentials that live in a Secret, as a user's do. */
async function installToken({ client }: Connection, { token }: SimCloudflare): Promise<void> {
  await client.create(namespaceKind, { metadata: { name: namespace } });
  const data = { CLOUDFLARE_API_TOKEN: Buffer.from(token).toString('base64') };
  await client.create(secretKind, { metadata: { name: 'cloudflare', namespace }, data });
}

function toLine({ method, path, status, durationMs }: JournalEntry): string {
  const short = path.replace(/[0-9a-f]{32}/g, (id) => `${id.slice(0, 6)}…`);
  return `→ Cloudflare         ${`${method} ${short}`.padEnd(60)} ${status}  ${Math.round(durationMs)} ms`;
}

function tryThis({ url }: SimCloudflare): readonly string[] {
  return [
    'kubectl get cfss                                 # what is wanted of Cloudflare, and how far it has come',
    'kubectl get dnsrecords,ingresses,clustertunnels',
    `kubectl patch dnsrecord www --type=merge -p '{"spec":{"content":"203.0.113.99"}}'`,
    'kubectl describe ingress shop',
    'kubectl delete dnsrecord www',
    `curl ${new URL('/__sim/journal', url).href}        # every call that was made`,
  ];
}
