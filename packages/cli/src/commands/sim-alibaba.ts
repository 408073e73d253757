import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { CommandShell } from '../command-shell.ts';

export type SimAlibabaFlags = { readonly port: number; readonly latency: number; readonly verbose: boolean };

export async function simAlibaba(flags: SimAlibabaFlags, { say, until }: CommandShell): Promise<void> {
  const sim = await startSimAlibaba({ port: flags.port, latencyMs: flags.latency });
  say(`endpoint     ${sim.endpoint} (http)`);
  say(`region       ${sim.regionId}`);
  say(`key          export ALIBABA_CLOUD_ACCESS_KEY_ID=${sim.accessKeyId}`);
  say(`secret       export ALIBABA_CLOUD_ACCESS_KEY_SECRET=${sim.accessKeySecret}`);
  say(`control      ${new URL('/__sim/', sim.url).href}`);
  say(`try          tributary run alibaba-eip --region ${sim.regionId} --endpoint ${sim.url}`);
  say('Ctrl-C ends it.');
  if (flags.verbose) {
    sim.journal.listen(({ action, status, durationMs }) =>
      say(`${action.padEnd(34)} ${status}  ${Math.round(durationMs)} ms`),
    );
  }
  await until();
  await sim.stop();
}
