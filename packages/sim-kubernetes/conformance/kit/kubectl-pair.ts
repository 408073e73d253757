import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ProvidedControlPlane } from '../../../../tools/control-plane/vitest-setup.ts';
import type { ClusterOptions } from '../../src/cluster-options.ts';
import { startCluster } from '../../src/start-cluster.ts';
import type { Cluster } from '../../src/start-cluster.ts';
import type { KubectlStep } from '../kubectl-step.ts';
import { createKubectl, maskedOutput } from './kubectl.ts';
import type { Kubectl, KubectlResult } from './kubectl.ts';
import { uniqueName } from './scratch.ts';

export type KubectlPair = {
  /** On the embedded and on the real server. */
  readonly both: () => readonly [Kubectl, Kubectl];
  /** One test per step: the outputs on both servers must be equal. */
  readonly compare: (steps: readonly KubectlStep[]) => void;
};

/** The same commands of the real kubectl on the embedded and on the real server. */
export function useKubectlPair(prefix: string, options: ClusterOptions = {}): KubectlPair {
  const namespace = uniqueName(prefix);
  let cluster: Cluster | undefined;
  let pair: readonly [Kubectl, Kubectl] | undefined;
  beforeAll(async () => {
    const plane: ProvidedControlPlane = inject('controlPlane');
    cluster = await startCluster(options);
    pair = [
      createKubectl(plane.kubectlPath, cluster.kubeconfig, namespace),
      createKubectl(plane.kubectlPath, readFileSync(plane.kubeconfigPath, 'utf8'), namespace),
    ];
  });
  afterAll(async () => {
    for (const kubectl of pair ?? []) kubectl.remove();
    await cluster?.stop();
  });
  const both = (): readonly [Kubectl, Kubectl] => {
    if (pair === undefined) throw new Error('there is no kubectl before the first test');
    return pair;
  };
  const compare = (steps: readonly KubectlStep[]): void => {
    test.each(steps.map((step, index) => ({ ...step, title: `${index + 1}. ${step.args.join(' ')}` })))(
      '$title',
      async (step) => {
        const [ours, real] = await Promise.all(both().map((kubectl) => runStep(kubectl, step, namespace)));
        expect(seen(ours as KubectlResult, step.compare)).toEqual(seen(real as KubectlResult, step.compare));
      },
    );
  };
  return { both, compare };
}

const crdKind = 'kind: CustomResourceDefinition';

function fill(text: string, namespace: string): string {
  return text.replaceAll('CRD', `${namespace}.example.com`).replaceAll('NS', namespace);
}

function fillStdin({ stdin, verbatim }: KubectlStep, namespace: string): string | undefined {
  if (stdin === undefined || verbatim) return stdin;
  return stdin
    .split(crdKind)
    .map((part) => fill(part, namespace))
    .join(crdKind);
}

async function runStep(kubectl: Kubectl, step: KubectlStep, namespace: string): Promise<KubectlResult> {
  const { args, untilCode } = step;
  const filled = args.map((arg) => fill(arg, namespace));
  const once = (): Promise<KubectlResult> => kubectl.run(filled, fillStdin(step, namespace));
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
