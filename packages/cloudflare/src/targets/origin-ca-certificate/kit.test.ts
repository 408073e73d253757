import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { OriginCaCertificateConfig } from './contract.ts';
import { originCaCertificateTarget } from './sync.ts';

function remote(sim: SimCloudflare): readonly unknown[] {
  const [zone] = listAtDashboard(sim, '/zones?name=example.com');
  return listAtDashboard(sim, `/certificates?zone_id=${zone?.id ?? ''}`);
}

function config(fields: Partial<OriginCaCertificateConfig> = {}): OriginCaCertificateConfig {
  return {
    hostnames: ['www.example.com', '*.example.com'],
    requestType: 'origin-ecc',
    validityDays: 365,
    makes: { algorithm: 'ECDSA', size: 256 },
    renewBeforeDays: 30,
    secret: { namespace: 'default', name: 'tls', layout: 'tls', withAuthority: false, labels: {} },
    ...fields,
  };
}

describeTarget('an origin certificate', {
  target: originCaCertificateTarget,
  key: ({ accountId }) => ({ accountId, owner: 'OriginCACertificate/default/tls' }),
  config: () => config(),
  changes: {
    hostnames: () => config({ hostnames: ['shop.example.com'] }),
    'its type': () => config({ requestType: 'origin-rsa' }),
    'its validity': () => config({ validityDays: 90 }),
    'its key': () => config({ makes: { algorithm: 'ECDSA', size: 384 } }),
  },
  remote,
  edit: (sim, id) => atDashboard(sim, 'DELETE', `/certificates/${id}`),
});
