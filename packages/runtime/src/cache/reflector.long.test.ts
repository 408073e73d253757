import { expect, test } from 'vitest';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import { churn, startDisturbedCache } from './testing/disturbed-cache.ts';
import { startFaultyProxy } from './testing/faulty-proxy.ts';
import { connect, createNamespace, deleteNamespace, sharedServer, until } from './testing/real-world.ts';

test('50,000 events of a real API server under random resets: none lost, none twice, none out of order', async () => {
  const server = sharedServer();
  const direct = connect(server);
  const namespace = await createNamespace(direct.client);
  const proxy = await startFaultyProxy(server);
  const world = await startDisturbedCache({ server, direct: direct.client, proxy, namespace });
  const timer = setInterval(() => (Math.random() < 0.9 ? proxy.reset() : proxy.stall()), 150);
  while (world.happened().length < 50_000) await churn(direct.client, namespace, 5000, 250);
  clearInterval(timer);
  await world.inStep();
  await until(() => world.happened().length >= world.seen.length);
  expect(world.seen).toEqual(world.happened());
  expect(world.checker.faults()).toEqual([]);
  expect(world.restarts.length).toBeGreaterThan(100);
  expect(world.restarts).not.toContain('expired');
  await world.stop();
  await proxy.close();
  await deleteNamespace(direct.client, namespace);
  await direct.close();
});

test('an API server that is killed and comes back with no memory of old versions is followed on', async () => {
  const plane = await startControlPlane({ components: ['kube-controller-manager'] });
  const direct = connect(plane);
  const namespace = await createNamespace(direct.client);
  const proxy = await startFaultyProxy(plane);
  const world = await startDisturbedCache({ server: plane, direct: direct.client, proxy, namespace });
  await churn(direct.client, namespace, 500);
  await world.inStep();
  for (let turn = 0; turn < 3; turn += 1) {
    // What is written while nobody watches is older than anything the new server remembers.
    proxy.refuse(true);
    await churn(direct.client, namespace, 500);
    await plane.restartApiServer();
    proxy.refuse(false);
    await churn(direct.client, namespace, 100);
    await world.inStep();
  }
  expect(world.restarts).toContain('unreachable');
  expect(world.restarts).toContain('expired');
  await world.stop();
  await proxy.close();
  await direct.close();
  await plane.stop();
});
