import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseYaml } from '@tributary/runtime';
import { residentBytes } from './resident-bytes.ts';
import type { Server } from './server.ts';

type Kubeconfig = {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
};

/** `tributary sim kubernetes`, as a user starts it. */
export async function startEmbedded(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sim-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const main = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'tributary.mjs');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main, 'sim', 'kubernetes', '--kubeconfig', kubeconfigPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  const readyMs = performance.now() - startedAt;
  const kubeconfig = parseYaml(readFileSync(kubeconfigPath, 'utf8')) as Kubeconfig;
  const [{ cluster }] = kubeconfig.clusters;
  const [{ user }] = kubeconfig.users;
  return {
    readyMs,
    url: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: user.token,
    memoryBytes: () => residentBytes(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
