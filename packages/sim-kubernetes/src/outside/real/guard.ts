import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/**
 * A small shell that outlives us by a moment: it learns the processes that we start, and when our end of its
 * standard input closes, for whatever reason, it kills them and removes the folder. So nothing is left behind by
 * a test run that was killed.
 */
const script = 'pids=""; while read -r pid; do pids="$pids $pid"; done; [ -n "$pids" ] && kill -9 $pids; rm -rf "$1"';

export type Guard = {
  readonly watch: (child: ChildProcess) => void;
  /** Kills what is still running, removes the folder, and waits for both. */
  readonly release: () => Promise<void>;
};

export function createGuard(folder: string): Guard {
  const shell = spawn('sh', ['-c', script, 'guard', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const closed = new Promise<void>((resolve) => {
    shell.once('close', () => resolve());
  });
  shell.unref();
  return {
    watch: (child) => {
      if (child.pid !== undefined) shell.stdin.write(`${child.pid}\n`);
    },
    release: async () => {
      shell.stdin.end();
      await closed;
    },
  };
}
