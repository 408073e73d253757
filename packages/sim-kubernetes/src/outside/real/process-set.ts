import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createGuard } from './guard.ts';

/** The running programs of one control plane. Their output goes to `<component>.log` in the folder. */
export type ProcessSet<Component extends string> = {
  readonly start: (component: Component, args: readonly string[]) => void;
  readonly running: (component: Component) => boolean;
  readonly kill: (component: Component) => Promise<void>;
  readonly pids: () => Readonly<Partial<Record<Component, number>>>;
  /** Kills all of them and removes the folder. */
  readonly end: () => Promise<void>;
};

export function createProcessSet<Component extends string>(
  folder: string,
  binaries: Readonly<Record<Component, string>>,
  env: NodeJS.ProcessEnv,
): ProcessSet<Component> {
  const guard = createGuard(folder);
  const children = new Map<Component, ChildProcess>();
  return {
    start: (component, args) => {
      const child = spawn(binaries[component], args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...env, HOME: folder },
      });
      const log = createWriteStream(join(folder, `${component}.log`), { flags: 'a' });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      guard.watch(child);
      children.set(component, child);
    },
    running: (component) => isRunning(children.get(component)),
    kill: async (component) => {
      const child = children.get(component);
      if (!isRunning(child)) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
    pids: () =>
      Object.fromEntries([...children].map(([component, child]) => [component, child.pid])) as Partial<
        Record<Component, number>
      >,
    end: async () => {
      // etcd last: the others complain at length when it is gone.
      for (const child of [...children.values()].toReversed()) child.kill('SIGKILL');
      await guard.release();
    },
  };
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}
