import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReplicaArguments, ReplicaGreeting } from './replica-main.ts';

/** A replica in a process of its own. */
export type SpawnedReplica = {
  readonly identity: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  readonly hasExited: () => boolean;
  readonly output: readonly string[];
};

export async function spawnReplica(options: ReplicaArguments): Promise<SpawnedReplica> {
  const program = fileURLToPath(new URL('replica-main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output: string[] = [];
  const greeted = Promise.withResolvers<ReplicaGreeting>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (output.length === 0) greeted.resolve(JSON.parse(line) as ReplicaGreeting);
    output.push(line);
  });
  let over = false;
  const exited = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      over = true;
      greeted.reject(new Error(`the replica exited before it began: ${code ?? signal}`));
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const { identity } = await greeted.promise;
  return { identity, kill: (signal) => child.kill(signal), exited, hasExited: () => over, output };
}
