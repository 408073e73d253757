import type { Command } from 'commander';
import type { Shell } from '../command-shell.ts';

/** Its flags are read by the syncer itself: as Go does, for the manifests of the original must start it, too. */
export function addRunTopdownSyncer(run: Command, { host, say }: Shell): void {
  run
    .command('topdown-syncer')
    .description('the top-down syncer: pods of a virtual cluster in a physical one; `cleanup` ends it for good')
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (argv: readonly string[]) => {
      const { runTopdownSyncer } = await import('@tributary/topdown-syncer');
      await runTopdownSyncer(argv, { process: host, env: host.env, say });
    });
}
