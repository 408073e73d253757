import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReady } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { OperatorProcess, TestWorld } from './testing/start-test-world.ts';

type Step =
  | { readonly do: 'create' | 'delete'; readonly name: string }
  | { readonly do: 'bind' | 'free' | 'retag'; readonly name: string }
  | { readonly do: 'edit'; readonly name: string; readonly bandwidth: number }
  | { readonly do: 'crash' }
  | {
      readonly do: 'fault';
      readonly write: boolean;
      readonly kind: 'dropped' | 'html' | 'server-error';
      readonly when: 'before' | 'after';
    }
  | { readonly do: 'kubernetes-reset'; readonly effect: 'before' | 'after' }
  | { readonly do: 'wait'; readonly ms: number };

const name = fc.constantFrom('a', 'b', 'c');
const when = fc.constantFrom('before' as const, 'after' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('delete' as const, 'bind' as const, 'free' as const, 'retag' as const),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), name, bandwidth: fc.integer({ min: 1, max: 200 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'crash' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      write: fc.boolean(),
      kind: fc.constantFrom('dropped' as const, 'html' as const, 'server-error' as const),
      when,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kubernetes-reset' as const), effect: when }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 100, 1000, 20_000, 400_000) }),
  },
);

/** What cannot be done now (no such object, being deleted) is not done. */
async function take(step: Step, world: TestWorld, restart: () => void): Promise<void> {
  switch (step.do) {
    case 'crash':
      return restart();
    case 'fault':
      return void world.sim.faults.arm({ match: { write: step.write }, fault: { kind: step.kind, when: step.when } });
    case 'kubernetes-reset': {
      const fault = { kind: 'reset', effect: step.effect } as const;
      const match = { verb: 'write', group: 'eip.alibabacloud.com', userAgent: 'operator' };
      return void world.cluster.faults.add({ match, fault, times: 1 });
    }
    case 'wait':
      return world.clock.advance(step.ms);
    case 'bind':
    case 'free':
    case 'retag':
      return atProvider(step.do, world.get(step.name)?.status?.allocationID ?? '', world);
    case 'create':
    case 'delete':
    case 'edit':
      return atCluster(step, world);
    default:
      return step satisfies never;
  }
}

function atProvider(what: 'bind' | 'free' | 'retag', id: string, { sim }: TestWorld): void {
  const status = sim.state.eip(id)?.status;
  if (what === 'bind' && status === 'Available') sim.dashboard.associate(id, 'nlb-1');
  if (what === 'free' && status === 'InUse') sim.dashboard.unassociate(id);
  if (what === 'retag' && status) sim.dashboard.retag(id, { team: 'stolen', 'eip-operator/object': undefined });
}

async function atCluster(step: Extract<Step, { do: 'create' | 'delete' | 'edit' }>, world: TestWorld): Promise<void> {
  const isThere = world.get(step.name) !== undefined;
  if (step.do === 'create' && !isThere) await world.create(step.name, { bandwidth: '5', tags: { team: 'edge' } });
  if (step.do === 'delete' && isThere) await world.remove(step.name);
  if (step.do === 'edit' && isThere) await world.patch(step.name, { spec: { bandwidth: `${step.bandwidth}` } });
}

async function live(steps: readonly Step[], seed: number): Promise<void> {
  const world = await startTestWorld({ latencyMs: 15, delays: { tagFilterLagMs: 20_000, describeLagMs: 2000 } }, seed);
  let operator: OperatorProcess = world.start();
  const restart = (): void => {
    operator.crash();
    operator = world.start();
  };
  try {
    for (const one of steps) await take(one, world, restart);
    world.sim.faults.clear();
    world.cluster.faults.clear();
    for (const { allocationId, status } of world.sim.state.eips()) {
      if (status === 'InUse') world.sim.dashboard.unassociate(allocationId);
    }
    const objects = () => ['a', 'b', 'c'].flatMap((one) => world.get(one) ?? []);
    await world.clock.runUntil(
      () => objects().every((object) => object.metadata.deletionTimestamp === undefined && isReady(object)),
      7_200_000,
    );
    // An address that no object knows would be paid for ever.
    await world.clock.advance(700_000);
    const known = objects().map(({ status }) => status?.allocationID ?? '');
    expect(
      world.sim.state
        .eips()
        .map(({ allocationId }) => allocationId)
        .toSorted(),
    ).toEqual(known.toSorted());
    for (const { spec, status } of objects()) {
      expect([status?.bandwidth, spec.allocationID]).toEqual([spec.bandwidth, status?.allocationID]);
      expect(world.sim.state.tags(status?.allocationID ?? '')?.['team']).toBe('edge');
    }
    const revision = world.cluster.store.revision();
    await world.clock.advance(3_600_000);
    expect(world.cluster.store.revision()).toBe(revision);
  } finally {
    await world.end();
  }
}

test('whatever happens in whatever order: each object ends with its own address, none is left over, and then there is silence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), fc.integer({ min: 1, max: 1e6 }), live),
    { numRuns: 40 },
  );
}, 120_000);
