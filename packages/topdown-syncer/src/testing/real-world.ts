import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connect,
  createUndiciTransport,
  loadClusterAccess,
  secretKind,
  sleep,
  systemAccessDeps,
  systemClock,
} from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { nodeKind, serviceAccountKind } from '../contract/cluster-kinds.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { topdownManifests } from '../manifests.ts';
import type { TopdownManifestOptions } from '../manifests.ts';

// Real clusters with the manifests applied, and the syncer as users run it: a process of its own, with its own accounts and no
// more rights than those have.

export type RealSyncer = {
  /** What it has said: warnings and errors. */
  readonly said: () => string;
  readonly hasEnded: () => boolean;
  /** Without warning. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type VirtualSide = {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  readonly startSyncer: (...flags: readonly string[]) => RealSyncer;
  /** What all its syncers have said. */
  readonly said: () => string;
  readonly stop: () => Promise<void>;
};

export type PhysicalSide = {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  readonly stop: () => Promise<void>;
};

const managed = { components: ['kube-controller-manager', 'kube-scheduler'], serviceAccountAdmission: true } as const;
const physicalAccount = { namespace: 'kubeocean-worker', name: 'kubeocean-syncer' };
const virtualAccount = { namespace: 'kubeocean-system', name: 'kubeocean-syncer' };
export const mountNamespace = 'kubeocean-mount';

export async function startPhysical(
  nodes: readonly string[],
  options: TopdownManifestOptions = {},
): Promise<PhysicalSide> {
  const plane = await startControlPlane({ ...managed, components: [...managed.components, 'kwok'] });
  const { client, close } = await open(plane);
  apply(plane, topdownManifests(options).physical);
  for (const name of nodes) await client.create(nodeKind, { metadata: { name } });
  const stop = async (): Promise<void> => {
    await close();
    await plane.stop();
  };
  return { plane, client, stop };
}

export type Bound = { readonly binding: string; readonly clusterId: string; readonly options?: TopdownManifestOptions };

/** A virtual cluster that is bound to the physical one; P lends everything to it. */
export async function startVirtual(
  physical: PhysicalSide,
  { binding, clusterId, options }: Bound,
): Promise<VirtualSide> {
  const plane = await startControlPlane(managed);
  const { client, close } = await open(plane);
  const named = { clusterBindingName: binding, clusterId, replicas: 0, ...options };
  apply(plane, topdownManifests(named).virtual);
  const folder = mkdtempSync(join(tmpdir(), 'syncer-'));
  const way = await kubeconfigOf(physical.plane, physical.client, physicalAccount);
  const secretRef = { namespace: virtualAccount.namespace, name: `${binding}-kubeconfig` };
  await client.create(secretKind, { metadata: secretRef, data: { kubeconfig: Buffer.from(way).toString('base64') } });
  const spec = { clusterID: clusterId, mountNamespace, secretRef, disableNodeDefaultTaint: true };
  await client.create(clusterBindingKind, { metadata: { name: binding }, spec });
  await physical.client.create(resourceLeasingPolicyKind, { metadata: { name: binding }, spec: { cluster: binding } });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, await kubeconfigOf(plane, client, virtualAccount));
  const running: RealSyncer[] = [];
  return {
    plane,
    client,
    startSyncer: (...flags) => {
      const id = `--leader-election-id=kubeocean-syncer-${clusterId}`;
      const made = startProcess([`--cluster-binding-name=${binding}`, id, `--kubeconfig=${kubeconfig}`, ...flags]);
      running.push(made);
      return made;
    },
    said: () => running.map((one) => one.said()).join(''),
    stop: async () => {
      await Promise.all(running.map(async (syncer) => syncer.kill()));
      await close();
      await plane.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks until it holds; throws with the name of what did not. */
export async function until(what: string, holds: () => Promise<boolean>, limitMs = 90_000): Promise<void> {
  const endMs = systemClock.monotonic() + limitMs;
  while (!(await holds().catch(() => false))) {
    if (systemClock.monotonic() > endMs) throw new Error(`it did not come about within ${limitMs} ms that ${what}`);
    await sleep(systemClock, 100);
  }
}

/** What a syncer was not allowed to do, by its own words. */
export function refusals(said: string): readonly string[] {
  return said.split('\n').filter((line) => /forbidden/i.test(line));
}

/** V lets pods onto its virtual nodes. */
export async function untilOpen({ client }: VirtualSide, count: number): Promise<void> {
  await until(`V lets pods onto ${count} virtual nodes`, async () => {
    const { items } = await client.list(nodeKind);
    return items.length === count && items.every(({ spec }) => (spec?.taints ?? []).length === 0);
  });
}

async function open({ kubeconfigPath }: ControlPlane): Promise<{ client: KubeClient; close: () => Promise<void> }> {
  const deps = systemAccessDeps({});
  const transport = createUndiciTransport(
    { access: await loadClusterAccess({ kubeconfig: kubeconfigPath }, deps) },
    deps,
  );
  return { client: connect({ transport, userAgent: 'user' }).client, close: transport.close };
}

/** As a person does it. */
function apply({ kubectlPath, kubeconfigPath }: ControlPlane, objects: readonly object[]): void {
  const kubectl = (...args: readonly string[]): void => {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    execFileSync(kubectlPath, ['--kubeconfig', kubeconfigPath, ...args], {
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  };
  kubectl('apply', '--server-side', '-f', '-');
  kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
}

type Account = { readonly namespace: string; readonly name: string };

async function kubeconfigOf({ kubeconfigPath }: ControlPlane, client: KubeClient, account: Account): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } };
  type Answer = { readonly status: { readonly token: string } };
  const { status } = await client.createSubresource<Answer>(serviceAccountKind, account, 'token', request);
  const config = JSON.parse(readFileSync(kubeconfigPath, 'utf8')) as {
    users: object[];
    contexts: { context: object }[];
  };
  const users = config.users.map((user) => ({ ...user, user: { token: status.token } }));
  const contexts = config.contexts.map((one) => ({
    ...one,
    context: { ...one.context, namespace: account.namespace },
  }));
  return JSON.stringify({ ...config, users, contexts });
}

const program = join(import.meta.dirname, '../../../cli/bin/tributary.mjs');
const quiet = ['--metrics-bind-address=0', '--health-probe-bind-address=0', '--zap-log-level=warn'];

function startProcess(flags: readonly string[]): RealSyncer {
  const child: ChildProcess = spawn(process.execPath, [program, 'run', 'topdown-syncer', ...flags, ...quiet], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => void said.push(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void said.push(chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasEnded()) child.kill(signal);
    await ended;
  };
  return {
    said: () => said.join(''),
    hasEnded,
    kill: async () => end('SIGKILL'),
    stop: async () => end('SIGTERM'),
  };
}
