import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import type { CommandShell, Shell } from './command-shell.ts';
import { addPrintManifests } from './commands/print-manifests.ts';
import { addRunAlibabaEip } from './commands/run-alibaba-eip.ts';
import { addRunCloudflare } from './commands/run-cloudflare.ts';
import { addRunTopdownSyncer } from './commands/run-topdown-syncer.ts';
import type { SimKubernetesOptions } from './commands/sim-kubernetes.ts';
import { toCount, toPort } from './flags.ts';
import { untilStopped } from './until-stopped.ts';

/** Every command of `tributary`, with what it needs of the world passed in. What a command is made of is loaded when it runs. */
export function createProgram(shell: Shell): Command {
  const program = new Command('tributary')
    .description('Kubernetes operators that keep the outside world in step with a cluster')
    .version(manifest.version)
    .showHelpAfterError();
  const commandShell = { say: shell.say, until: async () => untilStopped(shell.host) };
  addPlayground(program, commandShell);
  addSimulators(program.command('sim').description('run one simulator by itself'), commandShell);
  const run = program.command('run').description('run one operator on a cluster');
  addRunCloudflare(run, shell.host);
  addRunAlibabaEip(run, shell);
  addRunTopdownSyncer(run, shell);
  addPrintManifests(program, shell);
  return program;
}

function addPlayground(program: Command, shell: CommandShell): void {
  program
    .command('playground')
    .description('an embedded cluster with operators and examples, live; needs nothing but Node')
    .option('--once', 'run until every example is ready, then end', false)
    .option('--json', 'with --once: print the result as one line of JSON', false)
    .option('--port <port>', 'port of the API server', toPort, 0)
    .option('--kubeconfig <path>', 'where to write the kubeconfig', '.playground/kubeconfig')
    .action(async (options: { once: boolean; json: boolean; port: number; kubeconfig: string }) => {
      const { runPlayground } = await import('./playground/run-playground.ts');
      const converged = await runPlayground(options, shell);
      process.exitCode = converged ? 0 : 1;
    });
}

function addSimulators(sim: Command, shell: CommandShell): void {
  const port = ['--port <port>', 'port to listen on; 0 for any free one', toPort, 0] as const;
  sim
    .command('kubernetes')
    .description('the embedded Kubernetes API server')
    .option(...port)
    .option('--kubeconfig <path>', 'where to write the kubeconfig', 'kubeconfig')
    .option('--snapshot <path>', 'start from this file when it is there, and write it at the end')
    .option('--audit-log-path <path>', 'write every request as an event of audit.k8s.io/v1, as kube-apiserver does')
    .option('--node <name...>', 'nodes whose pods a scripted kubelet runs', ['node-1'])
    .option('--no-workloads', 'leave Deployments and ReplicaSets to a real kube-controller-manager')
    .option('--no-scheduler', 'leave placing pods to a real kube-scheduler')
    .option('--no-kubelet', 'leave nodes and pods to kwok or to nobody')
    .action(async (options: SimKubernetesOptions) => {
      const { simKubernetes } = await import('./commands/sim-kubernetes.ts');
      await simKubernetes(options, shell);
    });
  sim
    .command('cloudflare')
    .description('the Cloudflare API')
    .option(...port)
    .option('--latency <ms>', 'how long each answer takes', toCount, 0)
    .option('--no-rate-limit', 'never answer 429')
    .option('--verbose', 'print every call', false)
    .action(async (options: { port: number; latency: number; rateLimit: boolean; verbose: boolean }) => {
      const { simCloudflare } = await import('./commands/sim-cloudflare.ts');
      await simCloudflare(options, shell);
    });
  sim
    .command('alibaba')
    .description('the Alibaba Cloud VPC API for elastic addresses')
    .option(...port)
    .option('--latency <ms>', 'how long each answer takes', toCount, 0)
    .option('--verbose', 'print every call', false)
    .action(async (options: { port: number; latency: number; verbose: boolean }) => {
      const { simAlibaba } = await import('./commands/sim-alibaba.ts');
      await simAlibaba(options, shell);
    });
}
