import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { tunnelConfigurationTarget } from './sync.ts';

const tunnelsOf = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/cfd_tunnel`;

type Listed = { readonly body: { readonly result: readonly { readonly id: string }[] } };

function makeTunnel(sim: SimCloudflare): void {
  sim.dashboard('POST', tunnelsOf(sim), { name: 'office', config_src: 'cloudflare' });
}

function tunnelId(sim: SimCloudflare): string {
  return (sim.dashboard('GET', tunnelsOf(sim)) as Listed).body.result[0]?.id ?? '';
}

function put(sim: SimCloudflare, ingress: readonly object[]): unknown {
  return sim.dashboard('PUT', `${tunnelsOf(sim)}/${tunnelId(sim)}/configurations`, { config: { ingress } });
}

type Configured = {
  readonly body: { readonly result?: { readonly config?: { readonly ingress?: readonly object[] } } };
};

/** The rules, without the catch-all that is always there. */
function rules(sim: SimCloudflare): readonly object[] {
  const { body } = sim.dashboard('GET', `${tunnelsOf(sim)}/${tunnelId(sim)}/configurations`) as Configured;
  return (body.result?.config?.ingress ?? []).slice(0, -1);
}

const rule = { hostname: 'a.example.com', service: 'http://a' };
const last = { service: 'http_status:404' };

const kit = {
  target: tunnelConfigurationTarget,
  prepare: makeTunnel,
  key: (sim: SimCloudflare) => ({ accountId: sim.accountId, tunnelId: tunnelId(sim) }),
  config: () => ({ rules: [rule] }),
  remote: rules,
};

describeTarget('the configuration of a tunnel', {
  ...kit,
  changes: {
    service: () => ({ rules: [{ ...rule, service: 'http://b' }] }),
    path: () => ({ rules: [{ ...rule, path: '^/api(/|$)' }] }),
    options: () => ({ rules: [{ ...rule, originRequest: { connectTimeout: 5, noTLSVerify: true } }] }),
    settings: () => ({
      rules: [rule],
      warpRouting: { enabled: true },
      globalOriginRequest: { http2Origin: true },
      fallbackTarget: 'http_status:503',
    }),
  },
  edit: (sim) => put(sim, [{ ...rule, service: 'http://elsewhere' }, last]),
});

describeTarget('the configuration of a tunnel for which the API knows none yet', {
  ...kit,
  sim: { unconfiguredTunnel: 'error' },
  changes: {},
});
