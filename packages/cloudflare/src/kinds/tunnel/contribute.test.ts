import type { KubeObject } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { tunnelKind } from './resource.ts';

describeKind('a tunnel', {
  kind: tunnelKind,
  object: () =>
    ({
      apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
      kind: 'Tunnel',
      metadata: { name: 'office', namespace: 'default' },
      spec: { newTunnel: { name: 'office' }, cloudflare: {} },
    }) as KubeObject,
  change: () => ({ spec: { newTunnel: { name: 'office' }, cloudflare: {}, fallbackTarget: 'http_status:503' } }),
  writes: 11,
});
