// npm run fuzz -- [--requests N] [--seed N] [--json]: the same random requests to the embedded and the real server.
import { parseArgs } from 'node:util';
import { equalTargets, otherTargets } from './builtin-targets.ts';
import { compareServers } from './compare-servers.ts';
import type { Comparison } from './compare-servers.ts';
import { customTargets } from './custom-targets.ts';
import { randomRequests } from './requests.ts';
import { startServers } from './start-servers.ts';
import { tellDifference } from './tell-difference.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = Number(values.requests);
  const seed = Number(values.seed);
  const servers = await startServers();
  try {
    const strict = await compareServers(servers, randomRequests([...customTargets, ...equalTargets], count, seed));
    const others = await compareServers(servers, randomRequests(otherTargets(), count, seed));
    const result = {
      seed,
      strict: summary(strict),
      others: { ...summary(others), share: Math.round((others.equal / others.requests) * 10_000) / 10_000 },
      internalErrors: servers.faults.length,
      serverErrors: [...strict.differences, ...others.differences].filter(({ embedded }) => embedded.status === 500)
        .length,
    };
    for (const fault of servers.faults.slice(0, 20)) console.error(fault);
    for (const difference of [...strict.differences, ...others.differences]) console.error(tellDifference(difference));
    console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, undefined, 2));
    process.exitCode = strict.differences.length + result.internalErrors === 0 ? 0 : 1;
  } finally {
    await servers.stop();
  }
}

function summary({ differences: _differences, ...counts }: Comparison): object {
  return counts;
}

await main();
