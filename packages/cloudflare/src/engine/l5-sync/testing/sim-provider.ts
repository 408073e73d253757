import { createClientPool } from '@tributary/cloudflare-api';
import type { ApiFetch } from '@tributary/cloudflare-api';
import type { Clock } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare, SimCloudflareOptions } from '@tributary/sim-cloudflare';
import type { WorldProvider } from './sync-process.ts';

/** The simulated Cloudflare as the provider of a world, reached through the real client. */
export async function startSimProvider(
  options: SimCloudflareOptions,
  clock: Clock,
): Promise<WorldProvider & { readonly sim: SimCloudflare }> {
  let onCrash: (() => void) | undefined;
  const sim = await startSimCloudflare({
    random: createRandom(),
    ...options,
    listen: false,
    clock,
    onCrash: () => onCrash?.(),
  });
  return {
    sim,
    clientFor: (isDead) => {
      const fetch: ApiFetch = async (url, init) => (isDead() ? new Promise(() => undefined) : sim.fetch(url, init));
      const pool = createClientPool({ baseUrl: sim.url }, { fetch, clock });
      return () => pool.clientFor({ kind: 'token', token: sim.token });
    },
    crashAt: (nth, when, kill) => {
      let hit = false;
      onCrash = () => {
        hit = true;
        kill();
      };
      sim.faults.arm({ match: { write: true }, fault: { kind: 'crash', when }, skip: nth });
      return () => hit;
    },
  };
}

/** Ids differ from each other and not from run to run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
