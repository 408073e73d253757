import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { obtainBinaries } from '../../../../tools/control-plane/obtain-binaries.ts';
import { createWireClient } from '../../conformance/kit/wire-client.ts';
import type { WireClient } from '../../conformance/kit/wire-client.ts';
import { startCluster } from '../start-cluster.ts';
import { createFolder } from './testing/run-controllers.ts';

// Helm as it is published, with a chart of our own.

const run = promisify(execFile);
const folder = createFolder();
const chart = join(folder.path, 'pond');
let cluster: Awaited<ReturnType<typeof startCluster>>;
let api: WireClient;
let binary = '';

beforeAll(async () => {
  ({ helm: binary } = await obtainBinaries(['helm'], process.env, () => undefined));
  cluster = await startCluster({ kubeconfigPath: folder.kubeconfig });
  api = createWireClient(cluster);
  writeChart();
}, 1_200_000);
afterAll(async () => {
  api?.close();
  await cluster?.stop();
  rmSync(folder.path, { recursive: true, force: true });
});

function writeChart(): void {
  mkdirSync(join(chart, 'templates'), { recursive: true });
  mkdirSync(join(chart, 'crds'));
  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(chart, name), `${lines.join('\n')}\n`);
  write('Chart.yaml', ['apiVersion: v2', 'name: pond', 'version: 1.0.0']);
  write('values.yaml', ['depth: shallow', 'replicas: 1']);
  write('crds/frogs.yaml', [
    'apiVersion: apiextensions.k8s.io/v1',
    'kind: CustomResourceDefinition',
    'metadata: { name: frogs.pond.example.com }',
    'spec:',
    '  group: pond.example.com',
    '  scope: Namespaced',
    '  names: { plural: frogs, singular: frog, kind: Frog, listKind: FrogList }',
    '  versions:',
    '    - name: v1',
    '      served: true',
    '      storage: true',
    '      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }',
  ]);
  write('templates/objects.yaml', [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: { name: {{ .Release.Name }}-water }',
    'data: { depth: {{ .Values.depth }} }',
    '---',
    'apiVersion: pond.example.com/v1',
    'kind: Frog',
    'metadata: { name: {{ .Release.Name }}-frog }',
    'spec: { size: {{ .Values.replicas }} }',
    '---',
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: { name: {{ .Release.Name }} }',
    'spec:',
    '  replicas: {{ .Values.replicas }}',
    '  selector: { matchLabels: { app: pond } }',
    '  template:',
    '    metadata: { labels: { app: pond } }',
    '    spec: { containers: [{ name: pond, image: nginx }] }',
  ]);
}

async function helm(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, HOME: folder.path, KUBECONFIG: folder.kubeconfig };
  const { stdout } = await run(binary, args, { env });
  return stdout;
}

async function seen(): Promise<unknown> {
  const [water, frog, deployment] = await Promise.all([
    api.get('/api/v1/namespaces/default/configmaps/my-water'),
    api.get('/apis/pond.example.com/v1/namespaces/default/frogs/my-frog'),
    api.get('/apis/apps/v1/namespaces/default/deployments/my'),
  ]);
  return [water.body?.data?.depth, frog.body?.spec?.size, deployment.body?.spec?.replicas];
}

type Release = { readonly revision: string; readonly status: string; readonly chart: string };

async function history(): Promise<readonly string[]> {
  const releases = JSON.parse(await helm('history', 'my', '-o', 'json')) as readonly Release[];
  return releases.map(({ revision, status, chart: name }) => `${revision} ${status} ${name}`);
}

test('Helm installs, upgrades, rolls back and uninstalls a chart', async () => {
  await helm('install', 'my', chart);
  expect(await seen()).toEqual(['shallow', 1, 1]);

  await helm('upgrade', 'my', chart, '--set', 'depth=deep', '--set', 'replicas=3');
  expect(await seen()).toEqual(['deep', 3, 3]);

  await helm('rollback', 'my', '1');
  expect(await seen()).toEqual(['shallow', 1, 1]);
  expect(await history()).toEqual(['1 superseded pond-1.0.0', '2 superseded pond-1.0.0', '3 deployed pond-1.0.0']);

  await helm('uninstall', 'my');
  expect(await seen()).toEqual([undefined, undefined, undefined]);
  expect(JSON.parse(await helm('list', '-o', 'json'))).toEqual([]);
});
