import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { devicePostureRuleKind } from './resource.ts';

describeKind('a device posture rule', {
  kind: devicePostureRuleKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DevicePostureRule',
    metadata: { name: 'agent' },
    spec: { type: 'file', input: { path: '/agent', exists: true }, cloudflare: {} },
  }),
  change: () => ({ spec: { input: { path: '/other', exists: true } } }),
});
