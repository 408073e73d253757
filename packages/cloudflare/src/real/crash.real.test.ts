import type { KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { clusterTunnel, ingress, ingressClass, service } from '../scenarios/testing/ingress-objects.ts';
import { createRandom } from '../testing/create-random.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { notGone, unready } from './testing/examples.ts';
import { installCluster, toDocuments } from './testing/installed-cluster.ts';
import type { InstalledCluster } from './testing/installed-cluster.ts';
import { moments, runMortal } from './testing/mortal-replica.ts';
import type { Moment, Mortal } from './testing/mortal-replica.ts';
import { hostsOf } from './testing/tunnel-rules.ts';
import { until } from './testing/until.ts';

const crashes = 30;
const random = createRandom(20_260_101);
/** So many writes pass between two deaths: a process lives long enough to do something, and seldom to the end. */
const mostBetween = 12;

let cluster: InstalledCluster;
let current: Mortal;
let generation = 0;
let written = 0;
let nextAt = 0;
const died: string[] = [];

beforeAll(async () => {
  cluster = await installCluster({ rateLimit: 'off' });
  // Deaths begin when the credentials are verified, which belongs to no life.
  nextAt = Number.POSITIVE_INFINITY;
  start();
  await until('the credentials are verified', async () => {
    const { items } = await cluster.client.list(syncStateKind);
    return items.length === 1 && items[0]?.status?.syncStatus === 'Synced';
  });
  drawNext();
});
afterAll(async () => {
  await current.stop();
  await cluster.stop();
});

function drawNext(): void {
  nextAt = died.length >= crashes ? Number.POSITIVE_INFINITY : written + 1 + Math.floor(random() * mostBetween);
}

function fate(write: string): Moment | undefined {
  written += 1;
  if (written < nextAt) return undefined;
  const moment = moments[Math.floor(random() * moments.length)] ?? 'before';
  died.push(`${moment} ${write}`);
  drawNext();
  return moment;
}

function start(): void {
  generation += 1;
  current = runMortal(cluster, `replica-${generation}`, fate);
}

/** Waits, and has a successor for each that dies. */
async function untilAtLast(what: string, holds: () => Promise<boolean>, describe: () => unknown): Promise<void> {
  const look = async (): Promise<boolean> => {
    if (current.isDead()) start();
    return holds();
  };
  await until(what, look, { limitMs: 180_000, describe });
}

const group = 'networking.cloudflare-operator.io/v1alpha2';
const cloudflare = { domain: 'example.net' };

/** Every shape of the slice: lifecycle, aggregated, one to one, in batches, with children. */
function life(name: string): readonly KubeObject[] {
  const records = ['a', 'b', 'c'].map((host) => ({
    apiVersion: group,
    kind: 'DNSRecord',
    metadata: { name: host, namespace: 'default' },
    spec: { name: host, type: 'A', content: '192.0.2.1', cloudflare },
  }));
  const spec = { network: '10.1.0.0/16', tunnelRef: { name }, virtualNetworkRef: { name }, cloudflare: {} };
  return [
    { apiVersion: group, kind: 'VirtualNetwork', metadata: { name }, spec: { cloudflare: {} } } as KubeObject,
    clusterTunnel(name, { cloudflare }),
    { apiVersion: group, kind: 'NetworkRoute', metadata: { name }, spec } as KubeObject,
    ...ingressClass(name, { dnsManagement: 'Automatic' }, name),
    service('web'),
    ingress('one', { className: name, host: 'one.example.net' }),
    ingress('two', { className: name, host: 'two.example.net' }),
    ...records,
  ];
}

function atCloudflare(): Readonly<Record<string, readonly string[]>> {
  const { accountId, zones } = cluster.sim;
  const zone = zones.find(({ name }) => name === 'example.net')?.id ?? '';
  const names = (path: string, field: 'name' | 'network' = 'name'): readonly string[] =>
    listAtDashboard(cluster.sim, path)
      .map((shown) => shown[field])
      .toSorted();
  return {
    records: names(`/zones/${zone}/dns_records`),
    tunnels: names(`/accounts/${accountId}/cfd_tunnel?is_deleted=false`),
    networks: names(`/accounts/${accountId}/teamnet/virtual_networks?is_deleted=false`),
    routes: names(`/accounts/${accountId}/teamnet/routes?is_deleted=false`, 'network'),
  };
}

async function statesLeft(): Promise<readonly unknown[]> {
  const { items } = await cluster.client.list(syncStateKind);
  const ofLives = items.filter(({ spec }) => spec.resourceType !== 'CloudflareCredentials');
  return ofLives.map(({ metadata, status }) => [metadata.name, status?.error]);
}

async function deploymentsLeft(): Promise<readonly unknown[]> {
  const { items } = await cluster.client.list(deploymentKind);
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'cloudflare-operator');
}

test(
  `${crashes} deaths at random writes, before them, after them and with the answer lost: the same end, no orphan, no duplicate`,
  { timeout: 600_000 },
  async () => {
    const empty = atCloudflare();
    expect([empty['records'], empty['tunnels'], empty['routes']]).toEqual([[], [], []]);
    for (let round = 1; died.length < crashes; round += 1) {
      const name = `life-${round}`;
      const objects = life(name);
      await cluster.kubectl(['apply', '-f', '-'], toDocuments(objects));
      const left = async (): Promise<readonly string[]> => unready(cluster.client, objects);
      await untilAtLast(
        'all are ready',
        async () => (await left()).length === 0,
        async () => [await left(), died],
      );
      const wanted = {
        records: ['a', 'b', 'c', 'one', 'two'].map((host) => `${host}.example.net`),
        tunnels: [name],
        networks: [...(empty['networks'] ?? []), name].toSorted(),
        routes: ['10.1.0.0/16'],
      };
      // An Ingress shows its address when the tunnel has its rules; its records come at the same time or a little later.
      const isThere = async (): Promise<boolean> => atCloudflare()['records']?.length === 5;
      await untilAtLast('all records are there', isThere, atCloudflare);
      expect(atCloudflare()).toEqual(wanted);
      expect(await hostsOf(cluster, name)).toEqual(['one.example.net', 'two.example.net', '*']);

      await cluster.kubectl(['delete', '--wait=false', '-f', '-'], toDocuments(objects));
      const remains = async (): Promise<readonly unknown[]> => [
        ...(await statesLeft()),
        ...(await deploymentsLeft()),
        // One that is still going would be gone in the middle of the next life.
        ...(await notGone(cluster.client, objects)),
      ];
      await untilAtLast(
        'nothing is left',
        async () => (await remains()).length === 0,
        async () => [await remains(), died],
      );
      expect(atCloudflare()).toEqual(empty);
    }
    expect(new Set(died.map((death) => death.split(' ')[0]))).toEqual(new Set(moments));
  },
);
