import { expect, test } from 'vitest';
import { playRace } from './testing/play-race.ts';

test('the same race a thousand times: 50 tunnels, 20 rounds', async () => {
  await expect(playRace({ tunnels: 50, rounds: 20, seed: 12 })).resolves.toBe(undefined);
});
