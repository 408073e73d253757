import { expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import { createWorld } from '../testing/world.ts';
import { createPodStatusController } from './pod-status-controller.ts';
import { startCopy } from './testing/start-copy.ts';

type Status = { containerStatuses?: Record<string, unknown>[] };

/** An API server that has never heard of `imageID` drops it from whatever it is given. */
const olderServer = {
  name: 'older-server',
  mutate: ({ object }: { readonly object: Record<string, unknown> | undefined }) => {
    for (const status of (object?.['status'] as Status | undefined)?.containerStatuses ?? []) status['imageID'] = '';
  },
};

test('what an older virtual server does not keep is said once, not for ever', async () => {
  const log = { requests: [] as string[] };
  const world = await createWorld({
    staticVnodes: true,
    virtual: { admission: [olderServer] },
    parts: (sides) => [createPodStatusController({}, sides)],
  });
  const { sides } = await world.startSyncer({ virtualLog: log });
  await world.clock.advance(0);
  const { ref } = await startCopy(world, sides);
  await world.clock.advance(600_000);
  expect((await world.v.get(podKind, ref)).status).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ imageID: '' }],
  });
  expect(log.requests.filter((request) => request === 'PATCH pods/status')).toHaveLength(1);
  await world.end();
});
