import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import { gatewayConfigurationTarget } from './sync.ts';

const settings = { 'block_page.enabled': true, 'block_page.name': 'no', 'activity_log.enabled': false };
const theirs = { block_page: { footer_text: 'call us' }, fips: { tls: true } };

describeTarget('Gateway configuration', {
  target: gatewayConfigurationTarget,
  prepare: (sim) => atDashboard(sim, 'PUT', `/accounts/${sim.accountId}/gateway/configuration`, { settings: theirs }),
  key: ({ accountId }) => ({ accountId }),
  config: () => ({ settings }),
  changes: {
    'a part of a block': () => ({ settings: { ...settings, 'block_page.name': 'never' } }),
    'a block': () => ({ settings: { ...settings, 'antivirus.notification_settings.msg': 'found' } }),
  },
  remote: (sim) => [atDashboard(sim, 'GET', `/accounts/${sim.accountId}/gateway/configuration`)['settings']],
  edit: (sim) =>
    atDashboard(sim, 'PATCH', `/accounts/${sim.accountId}/gateway/configuration`, {
      settings: { block_page: { enabled: false } },
    }),
  end: 'kept',
});
