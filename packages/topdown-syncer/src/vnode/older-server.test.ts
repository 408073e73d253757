import { expect, test } from 'vitest';
import { startVnodeWorld } from './testing/vnode-world.ts';

/** An API server that has never heard of `bootID` drops it from whatever it is given. */
const olderServer = {
  name: 'older-server',
  mutate: ({ object }: { readonly object: Record<string, unknown> | undefined }) => {
    const nodeInfo = (object?.['status'] as Record<string, unknown> | undefined)?.['nodeInfo'];
    if (nodeInfo) (nodeInfo as Record<string, unknown>)['bootID'] = '';
  },
};

test('what an older virtual server does not keep of a node is said once, not for ever', async () => {
  const world = await startVnodeWorld({ physicalNodes: ['node-1'], virtual: { admission: [olderServer] } });
  await world.lend('all');
  await world.clock.advance(600_000);
  expect(world.vnode('node-1')?.status).toMatchObject({ nodeInfo: { bootID: '', kubeletVersion: 'v1.36.3' } });
  expect(world.virtualWrites()).toEqual(['POST nodes', 'PATCH nodes/status']);
  await world.end();
});
