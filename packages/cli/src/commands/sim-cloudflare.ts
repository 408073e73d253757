import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { CommandShell } from '../command-shell.ts';

export type SimCloudflareFlags = {
  readonly port: number;
  readonly latency: number;
  readonly rateLimit: boolean;
  readonly verbose: boolean;
};

export async function simCloudflare(flags: SimCloudflareFlags, { say, until }: CommandShell): Promise<void> {
  const sim = await startSimCloudflare({
    port: flags.port,
    latencyMs: flags.latency,
    rateLimit: flags.rateLimit ? 'real' : 'off',
  });
  say(`API          export CLOUDFLARE_API_BASE_URL=${sim.url}`);
  say(`account      ${sim.accountId}`);
  for (const { id, name, plan } of sim.zones) say(`zone         ${id}  ${name} (${plan})`);
  say(`token        ${sim.token}`);
  say(`control      ${new URL('/__sim/', sim.url).href}`);
  say('Ctrl-C ends it.');
  if (flags.verbose) {
    sim.journal.listen(({ method, path, status, durationMs }) =>
      say(`${method.padEnd(6)} ${path}  ${status}  ${Math.round(durationMs)} ms`),
    );
  }
  await until();
  await sim.stop();
}
