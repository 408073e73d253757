import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createOperatorProcess, getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import { needsRight, rightsIn, startCluster, withoutRight } from '@tributary/sim-kubernetes';
import type { AccountRequest, Cluster, Manifest, Right } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { beforeAll, expect, test } from 'vitest';
import { allKinds } from './catalog.ts';
import { tunnelConverters } from './conversion/tunnel-converters.ts';
import { syncStateKind } from './engine/l4-state/sync-state.ts';
import { cloudflareManifests } from './manifests.ts';
import { createCloudflareOperator } from './operator.ts';
import { applyObjects, deleteObjects } from './testing/apply-objects.ts';
import { createRandom } from './testing/create-random.ts';

// The operator with its own account and the rights of its manifests, on the embedded server: every example comes and goes.

const namespace = 'cloudflare-operator-system';
const account = { namespace, name: 'cloudflare-operator' };
const folder = join(import.meta.dirname, '../../../examples/cloudflare');
const examples = globSync('*/*.yaml', { cwd: folder })
  .toSorted()
  .flatMap((file) => parseYamlDocuments(readFileSync(join(folder, file), 'utf8')) as readonly KubeObject[]);
const limitMs = 300_000;

/** Ends with the story, or with the first refusal. */
async function tellStory(manifests: readonly Manifest[]): Promise<readonly AccountRequest[]> {
  const clock = createSimulatedClock();
  const random = createRandom(1);
  const cluster = await startCluster({ listen: false, clock, random, converters: tunnelConverters });
  const sim = await startSimCloudflare({ listen: false, clock, random, rateLimit: 'off' });
  await cluster.install(manifests);
  const { client } = connect({ transport: cluster.transport(), clock, random, userAgent: 'user' });
  const { transport, requests } = await cluster.asServiceAccount(account);
  const stop = new AbortController();
  const operator = createOperatorProcess(
    {
      name: 'operator',
      transport: transport(),
      election: { lease: { namespace, name: 'cloudflare-operator' }, identity: 'pod-1' },
      metricsAddress: '0',
      healthAddress: '0',
      build: (parts) =>
        createCloudflareOperator(
          { operatorNamespace: namespace, baseUrl: sim.url, identity: 'pod-1' },
          { ...parts, fetch: sim.fetch },
        ),
    },
    { clock, random },
  );
  operator.run(stop.signal).catch(() => undefined);
  let seen = 0;
  // Asked at every step of the clock, so only what is new is looked at.
  const refused = (): boolean => {
    while (seen < requests.length && requests[seen]?.status !== 403) seen++;
    return seen < requests.length;
  };
  const reach = async (holds: () => boolean): Promise<void> => clock.runUntil(() => refused() || holds(), limitMs);
  await applyObjects([...secrets(sim.token), ...examples], client, cluster.registry);
  let ready = 0;
  await reach(() => {
    while (ready < examples.length && isReady(cluster, examples[ready])) ready++;
    return ready === examples.length;
  });
  if (!refused()) await deleteObjects(examples, client, cluster.registry);
  await reach(() => cluster.store.count(syncStateKind) === 0);
  stop.abort();
  cluster.faults.crash('operator');
  await clock.settle();
  await sim.stop();
  await cluster.stop();
  return requests;
}

function secrets(token: string): readonly KubeObject[] {
  return [namespace, 'default'].map((at) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudflare', namespace: at },
    stringData: { CLOUDFLARE_API_TOKEN: token },
  }));
}

type Told = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/** Kinds without conditions are ready when they are there. */
function isReady(cluster: Cluster, object: KubeObject | undefined): boolean {
  const { name = '', namespace: at = 'default' } = object?.metadata ?? {};
  const ours = allKinds.find(({ kind }) => kind === object?.kind);
  if (!ours || ours.kind === 'AccessTunnel') return true;
  const found = cluster.client.get(ours, ours.scope === 'Namespaced' ? { namespace: at, name } : { name });
  return getCondition((found as unknown as Told | undefined)?.status?.conditions, 'Ready')?.status === 'True';
}

const manifests = cloudflareManifests() as readonly Manifest[];
const rights = rightsIn(manifests);
const wordsOf = ({ verb, group, resource, subresource }: AccountRequest): string =>
  `${verb} ${group === '' ? '' : `${group}/`}${resource}${subresource === '' ? '' : `/${subresource}`}`;
const refusedIn = (requests: readonly AccountRequest[]): readonly string[] => [
  ...new Set(requests.filter(({ status }) => status === 403).map(wordsOf)),
];

let requests: readonly AccountRequest[];
let needed: readonly Right[];
beforeAll(async () => {
  requests = await tellStory(manifests);
  needed = rights.filter((right) => needsRight(requests, right, rights));
});

test('every example comes and goes with the rights of the manifests', () => {
  expect(requests.length).toBeGreaterThan(300);
  expect(refusedIn(requests)).toEqual([]);
  // Streamed lists need no right to list, and the right to finalize is for clusters that ask for it.
  const plain = rights.filter(({ title }) => !/: (get|list) |\/finalizers$/.test(title));
  expect(needed.length).toBeGreaterThan(plain.length / 2);
});

test('without one of its rights the operator is refused, and that is seen', async () => {
  // Some of them, so that the test stays short; each takes a world of its own.
  for (const right of needed.filter((_, index) => index % 50 === 0)) {
    const refused = refusedIn(await tellStory(withoutRight(manifests, right)));
    expect([right.title, refused]).toEqual([right.title, [right.title.replace(/^.*: /, '')]]);
  }
});
