import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { systemClock } from '../clock.ts';
import type { AccessDeps, CommandRun } from './cluster-access.ts';

/** The real file system, environment, terminal and processes. */
export function systemAccessDeps(env: AccessDeps['env']): AccessDeps {
  return {
    env,
    homeDir: homedir(),
    isTerminal: () => isatty(0),
    readFile: async (path) => readFile(path, 'utf8'),
    modifiedMs: async (path) => (await stat(path)).mtimeMs,
    run: runCommand,
    clock: systemClock,
  };
}

/** What the command writes to standard error is for the person at the terminal, as with kubectl. */
async function runCommand({ command, args, env, interactive, signal }: CommandRun): ReturnType<AccessDeps['run']> {
  const child = spawn(command, args, { env, signal, stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ exitCode: code ?? undefined, stdout: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}
