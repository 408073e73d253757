import type { Command } from 'commander';
import type { CloudflareFlags } from '@tributary/cloudflare';
import { addOperatorFlags, durationOption, toCount, toList, toPercent } from '../flags.ts';

type Parsed = Omit<CloudflareFlags, 'debounceMs' | 'maxWaitMs' | 'driftIntervalMs'> & {
  readonly debounce: number;
  readonly maxWait: number;
  readonly driftInterval: number;
};

export function addRunCloudflare(run: Command, host: NodeJS.Process): void {
  const command = run.command('cloudflare').description('the Cloudflare operator');
  addOperatorFlags(command, { leaderElect: true, metricsBindAddress: '0', healthProbeBindAddress: ':8081' })
    .option('--cluster-resource-namespace <name>', 'where the operator lives; POD_NAMESPACE when absent')
    .option('--watch-namespaces <names>', 'only these, separated by commas; all when empty', toList, [])
    .addOption(durationOption('--debounce', 'how long a target must be quiet before it is written', '500ms'))
    .addOption(durationOption('--max-wait', 'how long it waits at most', '2s'))
    .addOption(durationOption('--drift-interval', 'how often Cloudflare is looked at unasked; 0 for never', '1h'))
    .option('--max-deletions <count>', 'deletions of one scope within ten minutes that are never held', toCount, 10)
    .option('--max-deletion-share <percent>', 'above that number, the share of a scope that is held', toPercent, 30)
    .option('--overwrite-unmanaged-dns', 'TunnelBindings may take over DNS records that no operator has made')
    .addHelpText(
      'after',
      '\nCLOUDFLARE_API_BASE_URL in the environment names another API, for example a simulated one.',
    )
    .action(async ({ debounce, maxWait, driftInterval, ...flags }: Parsed) => {
      if (maxWait < debounce) command.error('error: --max-wait must not be less than --debounce');
      const { runCloudflare } = await import('@tributary/cloudflare');
      const times = { debounceMs: debounce, maxWaitMs: maxWait, driftIntervalMs: driftInterval };
      await runCloudflare({ ...flags, ...times }, { process: host, env: host.env });
    });
}
