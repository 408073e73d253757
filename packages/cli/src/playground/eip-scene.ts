import { resolve } from 'node:path';
import { createEipOperator, eipKind } from '@tributary/alibaba-eip';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba } from '@tributary/sim-alibaba';
import { isReadyByCondition, readExamples } from './read-examples.ts';
import type { Scene } from './scene.ts';

const examples = resolve(import.meta.dirname, '../../../../examples/alibaba-eip');

/** The EIP operator, with the VPC API simulated. */
export const eipScene: Scene = {
  name: 'alibaba-eip',
  customKinds: [eipKind],
  open: async ({ connection, tell, kindOf }) => {
    const sim = await startSimAlibaba({ delays: { releasingMs: 500, bindingMs: 500 } });
    const stopTelling = sim.journal.listen(({ action, status, durationMs }) =>
      tell(`→ Alibaba Cloud      ${action.padEnd(60)} ${status}  ${Math.round(durationMs)} ms`),
    );
    const operators = createEipOperator(
      { regionId: sim.regionId, clusterId: 'playground' },
      {
        connection,
        send: async (action, params, signal) => sim.call(action, params, signal ? { signal } : {}),
      },
    );
    return {
      operators,
      examples: readExamples(examples, kindOf).map((example) => withRealIds(example, sim)),
      isReady: isReadyByCondition([eipKind]),
      shown: [],
      facts: [`The Alibaba Cloud VPC API is simulated at ${sim.url}`],
      tryThis: [
        'kubectl get eips.eip.alibabacloud.com',
        `kubectl patch eip simple --type=merge -p '{"spec":{"bandwidth":"20"}}'`,
        'kubectl delete eip simple                        # released; `keep` would not be',
      ],
      providerCalls: () => sim.journal.count(),
      close: async () => {
        stopTelling();
        await sim.stop();
      },
    };
  },
};

type Example = ReturnType<typeof readExamples>[number];

/** Some examples name an address or a package that somebody else has made: it is made first. */
function withRealIds(example: Example, sim: SimAlibaba): Example {
  const spec = (example.object['spec'] ?? {}) as {
    readonly allocationID?: string;
    readonly bandwidthPackageID?: string;
  };
  const allocationID = spec.allocationID && sim.dashboard.allocate({});
  const bandwidthPackageID = spec.bandwidthPackageID && sim.dashboard.createPackage({});
  const ids = { ...(allocationID && { allocationID }), ...(bandwidthPackageID && { bandwidthPackageID }) };
  return { ...example, object: { ...example.object, spec: { ...spec, ...ids } } };
}
