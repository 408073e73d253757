import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { nodeOptions } from '@tributary/topdown-syncer';
import { freePort } from '../../packages/sim-kubernetes/src/outside/real/free-port.ts';

export type BenchSyncer = {
  /** Processor time so far. */
  readonly cpuSeconds: () => number;
  /** The most memory that it ever held. */
  readonly peakRssMb: () => number;
  /** How late its event loop was at most since the last look: a renewal of its lease that waits for the loop is late, too. */
  readonly loopDelayMs: () => Promise<number>;
  /** Throws once it has ended: a bench that waits for it would wait for ever. */
  readonly mustRun: () => void;
  readonly stop: () => Promise<void>;
};

/** `tributary run topdown-syncer` as it ships, with the options of its manifest, in a process of its own. */
export async function startSyncer(program: string, flags: readonly string[]): Promise<BenchSyncer> {
  const metrics = `127.0.0.1:${await freePort()}`;
  const args = [...nodeOptions, program, 'run', 'topdown-syncer', `--metrics-bind-address=${metrics}`, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('the syncer did not start');
  const exited = endOf(child);
  return {
    cpuSeconds: () => cpuSecondsOf(pid),
    peakRssMb: () => peakRssMbOf(pid),
    loopDelayMs: async () => loopDelayMsAt(`http://${metrics}/metrics`),
    mustRun: () => {
      if (child.exitCode !== null) throw new Error(`the syncer ended with code ${child.exitCode}`);
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
}

/** Each scrape begins anew. */
async function loopDelayMsAt(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? [];
  return Math.round(Number(seconds) * 1000);
}

/** Linux counts in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100;

function cpuSecondsOf(pid: number): number {
  // The name of the program stands in parentheses and may hold blanks; user and system time are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function peakRssMbOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
