import { Command, InvalidArgumentError } from 'commander';
import { runPlayground } from './playground/run-playground.ts';
import { simKubernetes } from './sim-kubernetes.ts';
import { untilStopped } from './until-stopped.ts';

export type Shell = {
  readonly host: Pick<NodeJS.Process, 'once' | 'stdout'>;
  readonly say: (line: string) => void;
};

/** Every command of `tributary`, with what it needs of the world passed in. */
export function createProgram(shell: Shell): Command {
  const program = new Command('tributary')
    .description('Kubernetes operators that keep the outside world in step with a cluster')
    .showHelpAfterError();
  program
    .command('playground')
    .description('an embedded cluster with operators and examples, live; needs nothing but Node')
    .option('--once', 'run until every example is ready, then end', false)
    .option('--json', 'with --once: print the result as one line of JSON', false)
    .option('--port <port>', 'port of the API server', toPort, 0)
    .option('--kubeconfig <path>', 'where to write the kubeconfig', '.playground/kubeconfig')
    .action(async (options: { once: boolean; json: boolean; port: number; kubeconfig: string }) => {
      const converged = await runPlayground(options, { say: shell.say, until: async () => untilStopped(shell.host) });
      process.exitCode = converged ? 0 : 1;
    });
  const sim = program.command('sim').description('run one simulator by itself');
  sim
    .command('kubernetes')
    .description('the embedded Kubernetes API server')
    .option('--port <port>', 'port to listen on; 0 for any free one', toPort, 0)
    .option('--kubeconfig <path>', 'where to write the kubeconfig', 'kubeconfig')
    .option('--snapshot <path>', 'start from this file when it is there, and write it at the end')
    .option('--node <name...>', 'nodes whose pods a scripted kubelet runs', ['node-1'])
    .action(async (options: { port: number; kubeconfig: string; snapshot?: string; node: string[] }) => {
      await simKubernetes(options, { say: shell.say, until: async () => untilStopped(shell.host) });
    });
  return program;
}

function toPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('a port is a whole number from 0 to 65535');
  }
  return port;
}
