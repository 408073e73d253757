import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ProvidedControlPlane } from '../../../../tools/control-plane/vitest-setup.ts';
import { isConflict, isInvalid } from '../client/error-checks.ts';
import { systemClock } from '../clock.ts';
import { defineKind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import { silentLog } from '../log.ts';
import { realClient } from '../schema/testing/real-server.ts';
import { createEventRecorder } from './event-recorder.ts';
import { eventKind } from './event-writer.ts';
import { addFinalizerPatch, removeFinalizerPatch } from './finalizer.ts';
import { metadataPatch } from './metadata-patch.ts';

const configMaps = defineKind<KubeObject & { readonly data?: Record<string, string> }>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
const nodes = defineKind<KubeObject>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

let server: ReturnType<typeof realClient>;
beforeAll(() => {
  server = realClient();
});
afterAll(async () => server.close());

const make = async (name: string) => server.kube.create(configMaps, { metadata: { name, namespace: 'default' } });

describe('on the real API server', () => {
  test('a finalizer that another writer added meanwhile is never lost', async () => {
    const seen = await make('finalized');
    const ref = { namespace: 'default', name: 'finalized' };
    const theirs = await server.kube.patch(configMaps, ref, addFinalizerPatch(seen, 'example.com/theirs')!);
    const late = server.kube.patch(configMaps, ref, addFinalizerPatch(seen, 'example.com/ours')!);
    await expect(late).rejects.toSatisfy(isConflict);
    const both = await server.kube.patch(configMaps, ref, addFinalizerPatch(theirs, 'example.com/ours')!);
    expect(both.metadata.finalizers).toEqual(['example.com/theirs', 'example.com/ours']);
    const one = await server.kube.patch(configMaps, ref, removeFinalizerPatch(both, 'example.com/theirs')!);
    const none = await server.kube.patch(configMaps, ref, removeFinalizerPatch(one, 'example.com/ours')!);
    expect([one.metadata.finalizers, none.metadata.finalizers]).toEqual([['example.com/ours'], undefined]);
    await server.kube.delete(configMaps, ref);
  });

  test('a patch guarded by uid does not reach an object that took the name', async () => {
    const ref = { namespace: 'default', name: 'renewed' };
    const first = await make('renewed');
    await server.kube.delete(configMaps, ref);
    await make('renewed');
    const patch = metadataPatch(first, { labels: { a: 'b' } }, { uid: true })!;
    await expect(server.kube.patch(configMaps, ref, patch)).rejects.toSatisfy(isInvalid);
    expect((await server.kube.get(configMaps, ref)).metadata.labels).toBeUndefined();
    await server.kube.delete(configMaps, ref);
  });

  test('kubectl describe shows an event with its count', async () => {
    const { kubeconfigPath, kubectlPath }: ProvidedControlPlane = inject('controlPlane');
    const recorder = createEventRecorder(
      { component: 'tributary-test', instance: 'here' },
      { client: server.kube, clock: systemClock, random: Math.random, log: silentLog },
    );
    const object = await make('described');
    for (let nth = 0; nth < 3; nth += 1) {
      recorder.record(configMaps, object, { type: 'Warning', reason: 'Tested', message: 'it was told' });
      await recorder.flush();
    }
    recorder.record(nodes, { metadata: { name: 'no-such-node' } }, { type: 'Normal', reason: 'Wide', message: 'x' });
    await recorder.stop();
    const args = ['--kubeconfig', kubeconfigPath, 'describe', 'configmap', 'described'];
    expect(execFileSync(kubectlPath, args, { encoding: 'utf8' })).toMatch(
      /Warning +Tested +.*x3 over.*tributary-test +it was told/,
    );
    const fieldSelector = 'involvedObject.name=no-such-node';
    const { items } = await server.kube.list(eventKind, { namespace: 'default', fieldSelector });
    expect(items).toHaveLength(1);
    await server.kube.delete(configMaps, { namespace: 'default', name: 'described' });
  });
});
