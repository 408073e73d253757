import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { omittedResources } from './differences.ts';
import { maskedOutput } from './kit/kubectl.ts';
import type { KubectlResult } from './kit/kubectl.ts';
import { useKubectlPair } from './kit/kubectl-pair.ts';
import { uniqueName } from './kit/scratch.ts';
import { kubectlSteps } from './kubectl-steps.ts';

const { both, compare } = useKubectlPair('kubectl');

describe('kubectl', () => {
  compare(kubectlSteps);
});

describe('kubectl beside', () => {
  test('api-resources names the same resources of the groups that both serve', async () => {
    const [ours, real] = await Promise.all(
      both().map((kubectl) => kubectl.run(['api-resources', '-o', 'wide', '--no-headers'])),
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
      both().map(async (kubectl) => {
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
