import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { cloudflareDomainTarget } from './sync.ts';

const settings = ['ssl', 'min_tls_version', 'browser_cache_ttl'];

describeTarget('the settings of a zone', {
  target: cloudflareDomainTarget,
  key: ({ accountId }) => ({ accountId, domain: 'example.com' }),
  config: () => ({ settings: { ssl: 'strict', browser_cache_ttl: 0 } }),
  changes: {
    ssl: () => ({ settings: { ssl: 'flexible', browser_cache_ttl: 0 } }),
    'minimum of TLS': () => ({ settings: { ssl: 'flexible', browser_cache_ttl: 0, min_tls_version: '1.2' } }),
  },
  remote: ({ dashboard, zones }) => {
    const [zone] = zones;
    return settings.map((id) => dashboard('GET', `/zones/${zone?.id ?? ''}/settings/${id}`).body);
  },
  edit: ({ dashboard, zones: [zone] }) => dashboard('PATCH', `/zones/${zone?.id ?? ''}/settings/ssl`, { value: 'off' }),
  end: 'kept',
});
