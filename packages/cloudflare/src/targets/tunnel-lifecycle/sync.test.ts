import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import type { TunnelLifecycleConfig } from './contract.ts';
import { tunnelLifecycleTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/cfd_tunnel`;

type Listed = { readonly body: { readonly result: readonly { readonly deleted_at?: string | null }[] } };

function tunnels(sim: SimCloudflare): readonly unknown[] {
  const { body } = sim.dashboard('GET', `${path(sim)}?is_deleted=false`) as Listed;
  return body.result.filter(({ deleted_at: deletedAt }) => !deletedAt);
}

function config(token: string, fields: Partial<TunnelLifecycleConfig> = {}): TunnelLifecycleConfig {
  const owner = { apiVersion: 'v1', kind: 'Toy', name: 'one', uid: 'u1' };
  return { action: 'create', tunnelName: 'office', secrets: { namespace: 'default', token, owner }, ...fields };
}

describeTarget('a tunnel of our own', {
  target: tunnelLifecycleTarget,
  key: ({ accountId }) => ({ accountId, name: 'office' }),
  config: () => config('one-token'),
  changes: {},
  remote: tunnels,
  edit: (sim, id) => sim.dashboard('PATCH', `${path(sim)}/${id}`, { name: 'renamed' }),
});

describeTarget('a tunnel that is there already', {
  target: tunnelLifecycleTarget,
  prepare: (sim) => sim.dashboard('POST', path(sim), { name: 'office', config_src: 'cloudflare' }),
  key: ({ accountId }) => ({ accountId, name: 'office' }),
  config: () => config('one-token', { action: 'use' }),
  changes: {},
  remote: tunnels,
  end: 'kept',
});
