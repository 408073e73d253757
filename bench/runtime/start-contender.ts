import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What a contender says when it has seen every object in a round. CPU and memory are its own, from its start. */
export type RoundReport = {
  readonly round: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly reconciles: number;
};

export type Contender = {
  /** Resolves when every object was reconciled once after the start. */
  readonly listed: Promise<RoundReport>;
  /** Tells it to expect a round; resolves when every object was reconciled in it. */
  readonly expectRound: (round: number) => Promise<RoundReport>;
  readonly stop: () => Promise<void>;
};

export function startContender(command: readonly [string, ...string[]], kubeconfigPath: string): Contender {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, KUBECONFIG: kubeconfigPath },
  });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextReport = async (): Promise<RoundReport> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command.join(' ')} ended with code ${child.exitCode} before it reported`);
    return JSON.parse(value) as RoundReport;
  };
  return {
    listed: nextReport(),
    expectRound: async (round) => {
      child.stdin.write(`${round}\n`);
      return nextReport();
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
