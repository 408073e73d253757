import { parentPort, workerData } from 'node:worker_threads';
import { allKinds } from '../../packages/cloudflare/src/catalog.ts';
import { fixtures } from '../../packages/cloudflare/src/testing/campaign/fixtures.ts';
import { runKind } from '../../packages/cloudflare/src/testing/campaign/run-kind.ts';

// A thread for one kind: several go on at once, and what one has needed is given back when it ends.
const kind = allKinds.find((one) => one.kind === workerData);
const fixture = kind && fixtures[kind.kind];
if (!fixture) throw new RangeError(`nothing is known of kind ${String(workerData)}`);
parentPort?.postMessage(await runKind(kind, fixture), []);
