import { expect, test } from 'vitest';
import { playRace } from './testing/play-race.ts';

test('settings, Ingress and TunnelBinding of 20 tunnels race over two replicas, and never a rule is lost', async () => {
  await expect(playRace({ tunnels: 20, rounds: 6, seed: 11 })).resolves.toBe(undefined);
}, 400_000);
