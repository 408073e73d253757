import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import type { TestSim } from '../testing/start-test-sim.ts';

type Step = { readonly action: string; readonly eip: number; readonly pack: number; readonly waitMs: number };

const actions = [
  'AllocateEipAddress',
  'ReleaseEipAddress',
  'ModifyEipAddressAttribute',
  'AssociateEipAddress',
  'UnassociateEipAddress',
  'AddCommonBandwidthPackageIp',
  'RemoveCommonBandwidthPackageIp',
  'TagResources',
  'DeletionProtection',
];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.constantFrom(...actions),
    eip: fc.nat(2),
    pack: fc.nat(1),
    waitMs: fc.constantFrom(0, 0, 1000, 3000),
  }),
  { minLength: 20, maxLength: 60 },
);

function paramsOf({ action, pack }: Step, id: string): Record<string, string> {
  const member = { BandwidthPackageId: `cbwp-${pack}`, IpInstanceId: id };
  const tag = { ResourceType: 'EIP', 'ResourceId.1': id, 'Tag.1.Key': `k${pack}`, 'Tag.1.Value': 'v' };
  const protect = { InstanceId: id, Type: 'EIP', ProtectionEnable: String(pack === 1) };
  if (action === 'AllocateEipAddress') return { InternetChargeType: 'PayByTraffic' };
  if (action.includes('Package')) return member;
  if (action === 'TagResources') return tag;
  if (action === 'DeletionProtection') return protect;
  return { AllocationId: id, Bandwidth: '9', ...(action === 'AssociateEipAddress' && { InstanceId: `nlb-${id}` }) };
}

function checkWhole({ sim }: TestSim): void {
  const eips = sim.state.eips();
  expect(new Set(eips.map(({ ipAddress }) => ipAddress)).size).toBe(eips.length);
  for (const { status, binding, membership } of eips) {
    const bound = status === 'InUse' || status === 'Associating' || status === 'Unassociating';
    expect(binding !== undefined).toBe(bound);
    // Whoever is in a package is not on the way out.
    expect(membership !== undefined && status === 'Releasing').toBe(false);
  }
}

test('whatever is called and whenever: no half states, a refusal changes nothing, and time brings everything to rest', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const world = await startTestSim({ packages: [{ id: 'cbwp-0' }, { id: 'cbwp-1' }] });
      await world.allocate();
      for (const step of given) {
        const before = world.sim.state.eips();
        const id = before[step.eip]?.allocationId ?? 'eip-none';
        const { status } = await world.call(step.action, paramsOf(step, id));
        checkWhole(world);
        expect(status === 200 || isEqual(before, world.sim.state.eips())).toBe(true);
        expect(status).toBeLessThan(500);
        await world.clock.advance(step.waitMs);
      }
      await world.clock.advance(10_000);
      for (const { status, membership } of world.sim.state.eips()) {
        expect(['Available', 'InUse']).toContain(status);
        expect(['BINDED', undefined]).toContain(membership?.relation);
      }
    }),
    { numRuns: 60 },
  );
});

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
