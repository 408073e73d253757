import { connect, crdKind } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { tunnelConverters } from '../../conversion/tunnel-converters.ts';
import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import { tunnelKind } from '../../kinds/tunnel/resource.ts';
import type { TunnelSpec } from './tunnel-shape.ts';

const spec = { newTunnel: { name: 'edge' }, cloudflare: {} } as TunnelSpec;
const ready = {
  type: 'Ready',
  status: 'False',
  reason: 'CredentialsMissing',
  message: 'the Secret is not there',
  lastTransitionTime: '2026-01-01T00:00:00Z',
} as const;

test.each([tunnelKind, clusterTunnelKind])('a $kind takes a status that has conditions only', async (kind) => {
  const clock = createSimulatedClock();
  const cluster = await startCluster({ clock, random: () => 0.5, listen: false, converters: tunnelConverters });
  try {
    const { client } = connect({ transport: cluster.transport(), clock });
    await client.create(crdKind, { ...kind.toCrd() });
    const ref = kind.scope === 'Namespaced' ? { namespace: 'default', name: 'edge' } : { name: 'edge' };
    await client.create(kind, { metadata: ref, spec });
    const body = { status: { conditions: [ready] } };
    const stored = await client.patchStatus(kind, ref, { type: 'merge', body });
    expect(stored.status).toEqual({ conditions: [ready] });
  } finally {
    await cluster.stop();
  }
});
