import { afterAll, beforeAll, expect, test } from 'vitest';
import { equalTargets } from './builtin-targets.ts';
import { compareServers } from './compare-servers.ts';
import { customTargets } from './custom-targets.ts';
import { randomRequests } from './requests.ts';
import { startServers } from './start-servers.ts';
import type { BothServers } from './start-servers.ts';
import { tellDifference } from './tell-difference.ts';

// A sample; `npm run fuzz` sends ten thousand and more.
const seed = Number(process.env['TRIBUTARY_SEED'] ?? 1);

let servers: BothServers;
beforeAll(async () => void (servers = await startServers()));
afterAll(() => servers?.stop());

test('random requests, sound and broken, get the same status from the embedded server and from kube-apiserver', async () => {
  const requests = randomRequests([...customTargets, ...equalTargets], 500, seed);
  const { differences, statuses } = await compareServers(servers, requests);
  expect(differences.map(tellDifference)).toEqual([]);
  expect(servers.faults).toEqual([]);
  // Both kinds are among them.
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '201', '400', '404', '409', '422']));
});
