import type { Command } from 'commander';
import type { Shell } from '../command-shell.ts';

/** Its flags are read by the operator itself: the arguments of the original's manifests must start it, too. */
export function addRunAlibabaEip(run: Command, { host, say }: Shell): void {
  run
    .command('alibaba-eip')
    .description('the Alibaba Cloud EIP operator')
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (argv: readonly string[]) => {
      const { eipUsage, runAlibabaEip } = await import('@tributary/alibaba-eip');
      if (argv.includes('--help') || argv.includes('-h')) say(eipUsage);
      else await runAlibabaEip(argv, host.env);
    });
}
