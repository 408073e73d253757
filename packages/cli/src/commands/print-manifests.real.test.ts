import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseYamlDocuments } from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(async () => plane.stop());

/** As a user calls it: `npx tributary …`. */
async function tributary(...args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../bin/tributary.mjs');
  return (await promisify(execFile)(process.execPath, [program, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** What kubectl says of each object. */
async function apply(text: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const args = ['--kubeconfig', plane.kubeconfigPath, 'apply', '--server-side', ...flags, '-f', '-'];
  return new Promise((resolve, reject) => {
    const child = spawn(plane.kubectlPath, args);
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    child.once('close', (code) => {
      if (code === 0) resolve(said.out.trimEnd().split('\n'));
      else reject(new Error(said.err));
    });
    child.stdin.end(text);
  });
}

const programs: readonly (readonly [name: string, flags: readonly string[], replicas: number])[] = [
  ['cloudflare', [], 3],
  ['alibaba-eip', [], 1],
  ['topdown-syncer', ['--cluster', 'virtual'], 2],
  ['topdown-syncer', ['--cluster', 'physical'], 0],
];

test.each(programs)(
  'a real API server takes what `manifests %s` prints, with flags %j',
  async (name, flags, replicas) => {
    const text = await tributary('manifests', name, ...flags);
    const objects = parseYamlDocuments(text) as readonly AnyObject[];
    // Nothing can be tried in a namespace that is not there.
    const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
    expect(namespaces.length).toBeGreaterThan(0);
    await apply(namespaces.map((object) => JSON.stringify(object)).join('\n---\n'));
    const answers = await apply(text, '--dry-run=server', '--validate=strict');
    expect(answers).toHaveLength(objects.length);
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toMatchObject(replicas === 0 ? [] : [{ spec: { replicas } }]);
    const asked = await tributary('manifests', name, ...flags, '--image=registry.example/ours:1', '--replicas=5');
    expect(asked.includes('registry.example/ours:1')).toBe(replicas > 0);
    expect(asked.includes('replicas: 5')).toBe(replicas > 0);
  },
);

test('all of Cloudflare lies where it is told to, the webhook of the CRDs too', async () => {
  const text = await tributary('manifests', 'cloudflare', '--namespace', 'elsewhere');
  const objects = parseYamlDocuments(text) as readonly AnyObject[];
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  expect([...namespaces]).toEqual(['elsewhere']);
  const service = { namespace: 'elsewhere', name: 'cloudflare-operator-webhook-service', path: '/convert' };
  const converted = objects.filter((object) => JSON.stringify(object).includes('"strategy":"Webhook"'));
  const clientConfig = { service };
  expect(converted).toMatchObject([1, 2].map(() => ({ spec: { conversion: { webhook: { clientConfig } } } })));
});

test.each(['cloudflare', 'alibaba-eip', 'topdown-syncer'])(
  'a real API server takes what `crds %s` prints',
  async (name) => {
    const text = await tributary('crds', name);
    const objects = parseYamlDocuments(text) as readonly AnyObject[];
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(['CustomResourceDefinition']));
    expect(await apply(text, '--dry-run=server', '--validate=strict')).toHaveLength(objects.length);
  },
);
