import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { ControlPlane } from '../../../../../tools/control-plane/start-control-plane.ts';

/** What a user types, and what it prints. Fails with what it complains of. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

export function createKubectl({ kubectlPath, kubeconfigPath }: ControlPlane): Kubectl {
  return async (args, input = '') =>
    new Promise((resolve, reject) => {
      // Without a home kubectl would keep its cache in the folder from which the tests run.
      const env = { HOME: dirname(kubeconfigPath) };
      const child = spawn(kubectlPath, ['--kubeconfig', kubeconfigPath, ...args], { env });
      const said = { out: '', err: '' };
      child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve(said.out);
        else reject(new Error(`kubectl ${args.join(' ')}: ${said.err}`));
      });
      child.stdin.end(input);
    });
}
