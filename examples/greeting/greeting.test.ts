import { startCluster } from '@tributary/sim-kubernetes';
import { test } from 'vitest';
import { expectGreetings } from './greeting-scenario.ts';

test('the example works against the embedded API server', async () => {
  const cluster = await startCluster({ listen: false });
  await expectGreetings(cluster.transport());
  await cluster.stop();
});
