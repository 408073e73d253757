import { expect, test } from 'vitest';
import { nodeKind } from '../contract/cluster-kinds.ts';
import { startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';

test('a taint that somebody in V has just put there is not lost when P changes the others', async () => {
  const match = { verb: 'watch', resource: 'nodes', userAgent: 'syncer' };
  const late = { match, fault: { kind: 'delay-events', ms: 5000 } } as const;
  const world = await startVnodeWorld({ virtual: { faults: [late], actors: [] } });
  await world.lend('all');
  await world.until(() => world.vnode('node-1') !== undefined);
  await world.clock.advance(60_000);
  const keysOf = (): readonly string[] => (world.vnode('node-1')?.spec?.taints ?? []).map(({ key }) => key);
  const taint = async (client: typeof world.v, name: string, key: string, others: readonly object[] = []) =>
    client.patch(
      nodeKind,
      { name },
      { type: 'merge', body: { spec: { taints: [...others, { key, effect: 'NoSchedule' }] } } },
    );
  await taint(world.v, vnodeOf('node-1'), 'theirs', world.vnode('node-1')?.spec?.taints);
  await taint(world.p, 'node-1', 'below');
  await world.clock.advance(60_000);
  expect(keysOf()).toEqual(expect.arrayContaining(['theirs', 'below']));
  await world.end();
});
