import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect, crdKind, defineKind, namespaceKind, parseYamlDocuments } from '@tributary/runtime';
import { secretKind } from '@tributary/runtime';
import type { AnyObject, Connection, Runnable } from '@tributary/runtime';
import { createKubelet, createScheduler, startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { clusterBindingKind, createSyncer, readStart, resourceLeasingPolicyKind } from '@tributary/topdown-syncer';
import { countCalls } from './count-calls.ts';
import { readExamples } from './read-examples.ts';
import type { OpenScene, Scene, Stage } from './scene.ts';

const examples = resolve(import.meta.dirname, '../../../../examples/topdown-syncer');
const binding = 'worker1';

const core = { group: '', version: 'v1' } as const;
const nodeKind = defineKind({ ...core, kind: 'Node', plural: 'nodes', scope: 'Cluster' });
const podKind = defineKind({ ...core, kind: 'Pod', plural: 'pods', scope: 'Namespaced' });

/** The top-down syncer: the playground's cluster is the virtual one, a second one lends its nodes. */
export const topdownScene: Scene = {
  name: 'topdown-syncer',
  customKinds: [clusterBindingKind],
  open: async (stage) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-physical-'));
    const kubeconfigPath = join(folder, 'kubeconfig');
    const kubelet = createKubelet({ nodes: ['worker-1', 'worker-2'] });
    const cluster = await startCluster({ kubeconfigPath, actors: [createScheduler(), kubelet] });
    const counted = countCalls(cluster.transport());
    const { log } = stage.connection;
    const physical = connect({ transport: counted.transport, userAgent: 'tributary-playground', log });
    await installPhysical(physical);
    await installVirtual(stage.connection, cluster);
    const start = await readStart(stage.connection.client, binding);
    const options = { clusterBindingName: binding, manageBindingStatus: true };
    const syncer = createSyncer(options, start, { virtual: stage.connection, physical });
    tellOfPhysicalPods(physical, stage);
    return {
      operators: [createCachePart(physical), ...syncer.runnables],
      ...toWorkload(stage),
      facts: [`A second cluster lends its nodes at ${cluster.url} (kubeconfig ${kubeconfigPath})`],
      tryThis: tryThis(kubeconfigPath),
      providerCalls: counted.calls,
      close: async () => {
        await cluster.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

function toWorkload({ kindOf }: Stage): Pick<OpenScene, 'examples' | 'isReady' | 'shown'> {
  return {
    // Of the examples only these need no more than a scheduler and a kubelet.
    examples: readExamples(examples, kindOf, (file) => file === 'pods.yaml'),
    isReady: ({ kind }, { status }) =>
      kind.kind !== podKind.kind || (status as { phase?: string } | undefined)?.phase === 'Running',
    shown: [nodeKind],
  };
}

async function installPhysical({ client }: Connection): Promise<void> {
  await client.create(crdKind, { ...resourceLeasingPolicyKind.toCrd() });
  for (const object of documentsOf('physical.yaml')) {
    const kind = object.kind === namespaceKind.kind ? namespaceKind : resourceLeasingPolicyKind;
    await client.create(kind, object);
  }
}

async function installVirtual({ client }: Connection, { kubeconfig }: Cluster): Promise<void> {
  const [object] = documentsOf('virtual.yaml');
  if (!object) throw new Error('the example of a binding is gone');
  const { secretRef } = object['spec'] as { secretRef: { name: string; namespace: string } };
  await client.create(namespaceKind, { metadata: { name: secretRef.namespace } });
  const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  await client.create(secretKind, { metadata: secretRef, data });
  await client.create(clusterBindingKind, object);
}

function documentsOf(file: string): readonly AnyObject[] {
  return parseYamlDocuments(readFileSync(join(examples, file), 'utf8')) as readonly AnyObject[];
}

/** The playground starts the caches of its own cluster; this is the other one. */
function createCachePart({ cache }: Connection): Runnable {
  return {
    name: 'physical-cache',
    runs: 'always',
    run: async (signal) => {
      cache.start(signal);
      await cache.stopped();
    },
  };
}

function tellOfPhysicalPods({ cache }: Connection, { tell }: Stage): void {
  const told = new Map<string, string>();
  cache.informer(podKind).onChange(({ type, object }) => {
    const { uid = '', namespace, name } = object.metadata;
    const { phase = 'there' } = (object['status'] ?? {}) as { phase?: string };
    const what = type === 'deleted' ? 'gone' : phase;
    if (told.get(uid) === what) return;
    told.set(uid, what);
    tell(`→ physical cluster   ${`Pod ${namespace}/${name}`.padEnd(60)} ${what}`);
  });
}

function tryThis(physical: string): readonly string[] {
  return [
    'kubectl get clusterbindings,nodes                # vnode-… stand for nodes of the second cluster',
    'kubectl get pods -o wide                         # page runs on one of them',
    `kubectl --kubeconfig ${physical} -n kubeocean-mount get pods,configmaps`,
    'kubectl delete pod page                          # it goes there, too',
  ];
}
