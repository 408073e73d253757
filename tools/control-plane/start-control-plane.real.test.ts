import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControlPlane } from './start-control-plane.ts';
import type { ControlPlane } from './start-control-plane.ts';

let plane: ControlPlane;
const kubectl = (...args: string[]): string =>
  execFileSync(plane.kubectlPath, ['--kubeconfig', plane.kubeconfigPath, ...args], { encoding: 'utf8' });

beforeAll(async () => {
  plane = await startControlPlane({ users: [{ name: 'reader', groups: ['readers', 'others'] }] });
});
afterAll(async () => {
  await plane.stop();
});

test('the server is the real one and reports its version', () => {
  expect(JSON.parse(kubectl('version', '-o', 'json')).serverVersion.gitVersion).toBe('v1.36.3');
});

test('RBAC is on: a user without a role may not read', () => {
  const asReader = ['--kubeconfig', '/dev/null', '--server', plane.url, '--insecure-skip-tls-verify'];
  const args = [...asReader, '--token', plane.userTokens['reader']!, 'get', 'configmaps', '-n', 'default'];
  expect(() => execFileSync(plane.kubectlPath, args, { stdio: 'pipe' })).toThrow(/"reader" cannot list resource/);
});

test('the API server comes back on the same address with its data after a kill', async () => {
  kubectl('create', 'configmap', 'kept', '--from-literal=a=b');
  await plane.restartApiServer();
  expect(kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).toBe('b');
});

test('everything ends and nothing is left when the process that started it is killed', async () => {
  const script = `
    const { startControlPlane } = await import(${JSON.stringify(join(import.meta.dirname, 'start-control-plane.ts'))});
    const plane = await startControlPlane();
    console.log(JSON.stringify({ folder: plane.folder, pids: Object.values(plane.pids()) }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const { folder, pids } = JSON.parse(line) as { folder: string; pids: number[] };
  expect(pids).toHaveLength(2);
  child.kill('SIGKILL');
  const alive = (pid: number): boolean => existsSync(`/proc/${pid}`);
  await expect.poll(() => pids.some(alive) || existsSync(folder), { timeout: 10_000 }).toBe(false);
});

test('with controller manager, scheduler and kwok a Deployment runs on a fake node', async () => {
  const components = ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
  const whole = await startControlPlane({ components, serviceAccountAdmission: true });
  const run = (...args: string[]): string =>
    execFileSync(whole.kubectlPath, ['--kubeconfig', whole.kubeconfigPath, ...args], { encoding: 'utf8' });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'fake' } };
  execFileSync(whole.kubectlPath, ['--kubeconfig', whole.kubeconfigPath, 'create', '-f', '-'], {
    input: JSON.stringify(node),
  });
  run('create', 'deployment', 'web', '--image=nginx', '--replicas=3');
  const ready = (): string => run('get', 'deployment', 'web', '-o', 'jsonpath={.status.readyReplicas}');
  await expect.poll(ready, { timeout: 25_000, interval: 500 }).toBe('3');
  await whole.stop();
});
