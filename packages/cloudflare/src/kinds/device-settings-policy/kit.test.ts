import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { deviceSettingsPolicyKind } from './resource.ts';

describeKind('a device settings policy', {
  kind: deviceSettingsPolicyKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DeviceSettingsPolicy',
    metadata: { name: 'office' },
    spec: { splitTunnelExclude: [{ address: '198.51.100.0/24' }], cloudflare: {} },
  }),
  change: () => ({ spec: { splitTunnelExclude: [{ address: '203.0.113.0/24' }] } }),
  // The list has other authors, so what is about to be written into it is written down first.
  writes: 5,
});
