import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eipKind } from '@tributary/alibaba-eip';
import type { EipObject } from '@tributary/alibaba-eip';
import {
  crdKind,
  createKubeClient,
  createUndiciTransport,
  isTrue,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba } from '@tributary/sim-alibaba';
import { startControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { BenchOptions } from '../bench-options.ts';
import { forEachOf } from '../runtime/for-each-of.ts';
import { countOriginalCalls } from './original-calls.ts';
import { startOperator } from './start-operator.ts';

const periodSeconds = 15;
const periods = 3;
/** An account whose quota and whose limit on new addresses were raised; reads have the usual limit. */
const limits = { AllocateEipAddress: 3000, DescribeEipAddresses: 600 };

/** So many EIPs on a real API server and the simulator over HTTP: how much is asked of both, and is anything there twice? */
export async function benchEip({ objects = 1000, say }: BenchOptions): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-eip-'));
  const plane = await startControlPlane({ audit: true });
  const sim = await startSimAlibaba({ limits, quotas: { eips: objects * 2 } });
  const access = {
    server: plane.url,
    tls: { ca: { data: plane.ca } },
    auth: staticAuth({ authorization: `Bearer ${plane.token}` }),
  };
  const transport = createUndiciTransport({ access }, systemAccessDeps({}));
  const client = createKubeClient({ transport, userAgent: 'bench-driver', retriesWhenRefused: 10 });
  try {
    await installCrd(client);
    const operator = await startOperator(folder, toFlags(folder, plane, sim));
    say(`creating ${objects} EIPs`);
    const startedMs = performance.now();
    await forEachOf(objects, 32, async (index) => void (await client.create(eipKind, newEip(index))));
    await untilReady(client, objects, say);
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    const atWork = { writes: sim.journal.count({ write: true }), reads: sim.journal.count({ write: false }) };
    const kubernetesWrites = countWrites(plane);
    say(`all Ready after ${seconds} s; watching ${periods} periods of ${periodSeconds} s`);
    const idle = await watchPeriods(sim, plane);
    const known = (await listAll(client)).map(({ status }) => status?.allocationID);
    const { peakRssMb } = await operator.stop();
    return {
      objects,
      ...idle,
      ...atWork,
      kubernetesWrites,
      duplicates: sim.state.eips().length - new Set(known).size,
      seconds,
      peakRssMb,
      original: countOriginalCalls(objects),
    };
  } finally {
    await transport.close();
    await sim.stop();
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function newEip(index: number): EipObject {
  const metadata = { namespace: 'default', name: `bench-${index}` };
  return { metadata, spec: { bandwidth: '5', tags: { team: 'bench' } } } as unknown as EipObject;
}

function toFlags(folder: string, plane: ControlPlane, sim: SimAlibaba): readonly string[] {
  const [config, credential] = [join(folder, 'config.yaml'), join(folder, 'secret.yaml')];
  const callsPerMinute = JSON.stringify(limits);
  writeFileSync(
    config,
    `regionID: ${sim.regionId}\nkubeClientQPS: 500\nkubeClientBurst: 500\ncallsPerMinute: ${callsPerMinute}\n`,
  );
  writeFileSync(credential, `accessKeyID: ${sim.accessKeyId}\naccessKeySecret: ${sim.accessKeySecret}\n`);
  return [
    `--config=${config}`,
    `--credential=${credential}`,
    '--credential-mode=file',
    `--kubeconfig=${plane.kubeconfigPath}`,
    `--endpoint=${sim.url}`,
    `--sync-period=${periodSeconds}s`,
    '--max-concurrent-reconciles=32',
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    '--log-level=warn',
  ];
}

async function installCrd(client: KubeClient): Promise<void> {
  await client.create(crdKind, { ...eipKind.toCrd() });
  const isServed = async (): Promise<boolean> =>
    client.list(eipKind, { limit: 1 }).then(
      () => true,
      () => false,
    );
  while (!(await isServed())) await wait(50);
}

async function listAll(client: KubeClient): Promise<readonly EipObject[]> {
  const pages = await Array.fromAsync(client.listPages(eipKind, { limit: 500 }));
  return pages.flatMap(({ items }) => items);
}

async function untilReady(client: KubeClient, objects: number, say: (line: string) => void): Promise<void> {
  for (let ready = 0; ready < objects; await wait(1000)) {
    ready = (await listAll(client)).filter(({ status }) => isTrue(status?.conditions, 'Ready')).length;
    say(`  ${ready} Ready`);
  }
}

/** Reads come in bursts, one a period: the largest is what a period costs. */
async function watchPeriods(sim: SimAlibaba, plane: ControlPlane): Promise<object> {
  // What was under way when the last object became Ready is no part of idleness.
  await wait(periodSeconds * 1000);
  const [seq, writesBefore] = [sim.journal.calls().at(-1)?.seq ?? 0, countWrites(plane)];
  await wait(periodSeconds * 1000 * periods);
  const calls = sim.journal.calls({ afterSeq: seq });
  const bursts: number[] = [];
  let lastMs = 0;
  for (const { time } of calls) {
    const atMs = Date.parse(time);
    if (atMs - lastMs > (periodSeconds * 1000) / 3) bursts.push(0);
    bursts.push((bursts.pop() ?? 0) + 1);
    lastMs = atMs;
  }
  return {
    readsPerPeriod: Math.max(...bursts),
    idlePeriods: bursts.length,
    idleWrites: calls.filter(({ write }) => write).length,
    idleKubernetesWrites: countWrites(plane) - writesBefore,
  };
}

/** By the server's own audit log: what the operator wrote, events included. */
function countWrites({ auditLogPath }: ControlPlane): number {
  return readFileSync(auditLogPath ?? '', 'utf8')
    .split('\n')
    .filter(
      (line) => line.includes('"userAgent":"tributary-alibaba-eip') && line.includes('"stage":"ResponseComplete"'),
    )
    .filter((line) => /"verb":"(create|update|patch|delete)"/.test(line)).length;
}
