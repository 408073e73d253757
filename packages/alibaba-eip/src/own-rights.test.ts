import { createOperatorProcess, namespaceKind, connect } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import { needsRight, rightsIn, startCluster, withoutRight } from '@tributary/sim-kubernetes';
import type { AccountRequest, Manifest } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { describe, expect, test } from 'vitest';
import { createEipOperator } from './create-eip-operator.ts';
import { eipKind } from './eip/resource.ts';
import type { EipObject } from './eip/resource.ts';
import { leaseName } from './main.ts';
import { eipManifests } from './manifests.ts';
import { isReady } from './testing/conditions.ts';

// The operator with its own account and the rights of its manifests, on the embedded server.

const namespace = 'alibabacloud-eip-operator-system';
const account = { namespace, name: 'alibabacloud-eip-operator-controller-manager' };
const ref = { namespace: 'default', name: 'web' };
const limitMs = 600_000;

/** An address comes, changes and goes, and a spec that cannot be met is told; or the first refusal ends it. */
async function runScenario(manifests: readonly Manifest[]): Promise<readonly AccountRequest[]> {
  const clock = createSimulatedClock();
  const random = (): number => 0.5;
  const cluster = await startCluster({ listen: false, clock, random });
  const sim = await startSimAlibaba({ listen: false, clock, random });
  await cluster.install(manifests);
  const { transport, requests } = await cluster.asServiceAccount(account);
  const { client } = connect({ transport: cluster.transport(), clock, random, userAgent: 'user' });
  const refused = (): boolean => requests.some(({ status }) => status === 403);
  const reach = async (holds: () => boolean): Promise<void> => clock.runUntil(() => refused() || holds(), limitMs);
  const get = (): EipObject | undefined => cluster.client.get(eipKind, ref) as EipObject | undefined;
  const stop = new AbortController();
  void startOperator();
  await client.create(eipKind, { metadata: ref, spec: { bandwidth: '5' } } as EipObject);
  await reach(() => get() !== undefined && isReady(get() as EipObject));
  if (!refused()) await client.patch(eipKind, ref, { type: 'merge', body: { spec: { bandwidth: '10' } } });
  await reach(() => get()?.status?.bandwidth === '10');
  if (!refused()) await client.delete(eipKind, ref);
  await reach(() => get() === undefined);
  // Long enough for the lease to be renewed.
  if (!refused()) await clock.advance(30_000);
  stop.abort();
  cluster.faults.crash('operator');
  await clock.settle();
  await sim.stop();
  await cluster.stop();
  return requests;

  async function startOperator(): Promise<void> {
    const { client: own } = connect({ transport: transport(), clock, random, userAgent: 'operator' });
    const known = await own.get(namespaceKind, { name: 'kube-system' }).catch(() => undefined);
    if (known === undefined) return;
    const options = { regionId: sim.regionId, clusterId: known.metadata.uid ?? '', instance: 'pod-1' };
    const send: Parameters<typeof createEipOperator>[1]['send'] = async (action, params) =>
      sim.call(action, params, {});
    const operator = createOperatorProcess(
      {
        name: 'operator',
        transport: transport(),
        election: { lease: { namespace, name: leaseName }, identity: 'pod-1' },
        metricsAddress: '0',
        healthAddress: '0',
        build: ({ leader, fence }) => createEipOperator(options, { connection: leader, fence, send }),
      },
      { clock, random },
    );
    await operator.run(stop.signal).catch(() => undefined);
  }
}

const manifests = eipManifests() as readonly Manifest[];
const rights = rightsIn(manifests);
const wordsOf = ({ verb, group, resource, subresource }: AccountRequest): string =>
  `${verb} ${group === '' ? '' : `${group}/`}${resource}${subresource === '' ? '' : `/${subresource}`}`;

/** What this story has no use for: servers without streamed lists, objects that a watch lost, events that repeat. */
const rare = ['list eip.alibabacloud.com/eips', 'get eip.alibabacloud.com/eips', 'patch events'];
const rightOf = (title: string): string => title.replace(/^.*: /, '');
const used = rights.filter(({ title }) => !rare.includes(rightOf(title)));

test('the operator does its work with the rights of its manifests, and needs them', async () => {
  const requests = await runScenario(manifests);
  expect(requests.length).toBeGreaterThan(20);
  expect(requests.filter(({ status }) => status === 403).map(wordsOf)).toEqual([]);
  const needed = rights.filter((right) => needsRight(requests, right, rights));
  expect(needed.map(({ title }) => title)).toEqual(used.map(({ title }) => title));
});

describe('without one of its rights the operator is refused:', () => {
  test.each(used)('$title', async (right) => {
    const requests = await runScenario(withoutRight(manifests, right));
    const refused = new Set(requests.filter(({ status }) => status === 403).map(wordsOf));
    // A right to one object has its name behind it.
    expect([...refused]).toEqual([rightOf(right.title).split(' ').slice(0, 2).join(' ')]);
  });
});
