import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ProvidedControlPlane } from '../../../tools/control-plane/vitest-setup.ts';
import { startCluster } from '../src/start-cluster.ts';
import type { Cluster } from '../src/start-cluster.ts';
import { omittedResources } from './differences.ts';
import { createKubectl, maskedOutput } from './kit/kubectl.ts';
import type { Kubectl, KubectlResult } from './kit/kubectl.ts';
import { uniqueName } from './kit/scratch.ts';
import type { KubectlStep } from './kubectl-step.ts';
import { kubectlSteps } from './kubectl-steps.ts';

// The same commands of the real kubectl on the embedded and on the real server: their outputs must be equal.

const namespace = uniqueName('kubectl');
const group = `${namespace}.example.com`;
let cluster: Cluster;
let both: readonly [Kubectl, Kubectl];
beforeAll(async () => {
  const plane: ProvidedControlPlane = inject('controlPlane');
  cluster = await startCluster();
  both = [
    createKubectl(plane.kubectlPath, cluster.kubeconfig, namespace),
    createKubectl(plane.kubectlPath, readFileSync(plane.kubeconfigPath, 'utf8'), namespace),
  ];
});
afterAll(async () => {
  for (const kubectl of both) kubectl.remove();
  await cluster.stop();
});

const fill = (text: string): string => text.replaceAll('CRD', group).replaceAll('NS', namespace);
const crdKind = 'kind: CustomResourceDefinition';
const fillStdin = (text: string): string => text.split(crdKind).map(fill).join(crdKind);

async function runStep(kubectl: Kubectl, { args, stdin, untilCode }: KubectlStep): Promise<KubectlResult> {
  const once = (): Promise<KubectlResult> => kubectl.run(args.map(fill), stdin && fillStdin(stdin));
  let result = await once();
  if (untilCode === undefined) return result;
  for (let tries = 0; result.code !== untilCode && tries < 20; tries += 1) {
    await pause(500);
    result = await once();
  }
  return result;
}

/** Names, types and requirements: the lines of explain that are not prose. */
function fieldsOf({ code, stdout, stderr }: KubectlResult): unknown {
  const fields = stdout.split('\n').filter((line) => /^\s*\S+\t<.+>|^(GROUP|KIND|VERSION|FIELD)/.test(line));
  return { code, fields: fields.map((line) => line.trim()), stderr: maskedOutput(stderr) };
}

function seen(result: KubectlResult, compare: KubectlStep['compare']): unknown {
  if (compare === 'exit') return result.code;
  if (compare === 'fields') return fieldsOf(result);
  if (compare === 'rows') return { code: result.code, rows: maskedOutput(result.stdout).split('\n').toSorted() };
  return { code: result.code, stdout: maskedOutput(result.stdout), stderr: maskedOutput(result.stderr) };
}

describe('kubectl', () => {
  test.each(kubectlSteps.map((step, index) => ({ ...step, title: `${index + 1}. ${step.args.join(' ')}` })))(
    '$title',
    async (step) => {
      const [ours, real] = await Promise.all(both.map((kubectl) => runStep(kubectl, step)));
      expect(seen(ours as KubectlResult, step.compare)).toEqual(seen(real as KubectlResult, step.compare));
    },
  );
});

describe('kubectl beside', () => {
  test('api-resources names the same resources of the groups that both serve', async () => {
    const [ours, real] = await Promise.all(
      both.map((kubectl) => kubectl.run(['api-resources', '-o', 'wide', '--no-headers'])),
    );
    const rows = ({ stdout }: KubectlResult): readonly string[] =>
      stdout
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => row.replaceAll(/\s+/g, ' '))
        .toSorted();
    const served = new Set(rows(ours as KubectlResult).map((row) => / (\S*v\d\S*) (true|false) /.exec(row)?.[1]));
    const comparable = rows(real as KubectlResult).filter(
      (row) =>
        served.has(/ (\S*v\d\S*) (true|false) /.exec(row)?.[1]) && !omittedResources.includes(row.split(' ')[0] ?? ''),
    );
    expect(comparable.length).toBeGreaterThan(30);
    expect(rows(ours as KubectlResult)).toEqual(comparable);
  });

  test('get -w shows what comes', async () => {
    const watched = uniqueName('watched');
    const shown = await Promise.all(
      both.map(async (kubectl) => {
        await kubectl.run(['create', 'configmap', watched, '-n', 'default']);
        const lines = kubectl.lines(['get', 'configmap', watched, '-w', '--output-watch-events', '-n', 'default'], 4);
        // The watch has begun when its first line is out; kubectl gives no other sign.
        await pause(1500);
        await kubectl.run(['label', 'configmap', watched, 'a=b', '-n', 'default']);
        await kubectl.run(['delete', 'configmap', watched, '-n', 'default']);
        return (await lines).map(maskedOutput);
      }),
    );
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toHaveLength(4);
  });
});
