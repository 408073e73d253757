import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { operatorNamespace } from './installed-cluster.ts';
import type { InstalledCluster } from './installed-cluster.ts';

const program = join(import.meta.dirname, '../../../../cli/bin/tributary.mjs');

/** `tributary run cloudflare`, as a process of its own. */
export type OperatorProgram = {
  readonly name: string;
  /** Without a word to it. */
  readonly kill: () => Promise<void>;
  readonly isRunning: () => boolean;
  /** The last that it said. */
  readonly said: () => string;
};

export function startOperatorProgram(
  { sim, ownKubeconfig }: InstalledCluster,
  name: string,
  flags: readonly string[] = [],
): OperatorProgram {
  const given = [
    `--kubeconfig=${ownKubeconfig}`,
    `--cluster-resource-namespace=${operatorNamespace}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=127.0.0.1:0',
    ...flags,
  ];
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    POD_NAME: name,
    CLOUDFLARE_API_BASE_URL: sim.url,
    // All replicas are on one machine, and it has that port only once.
    ENABLE_WEBHOOKS: 'false',
  };
  const child = spawn(process.execPath, [program, 'run', 'cloudflare', ...given], { env });
  let said = '';
  const note = (chunk: Buffer): void => void (said = `${said}${chunk.toString()}`.slice(-8000));
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return {
    name,
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    isRunning: () => isRunning(child),
    said: () => said,
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
