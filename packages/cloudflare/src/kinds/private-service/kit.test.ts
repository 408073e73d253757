import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { privateServiceKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

describeKind('a private service', {
  kind: privateServiceKind,
  prepare: async (world) => {
    await world.apply(`
{ apiVersion: ${apiVersion}, kind: ClusterTunnel, metadata: { name: office }, spec: { newTunnel: { name: office }, cloudflare: {} } }
---
{ apiVersion: v1, kind: Service, metadata: { name: wiki }, spec: { ports: [{ port: 80 }] } }`);
  },
  object: () => ({
    apiVersion,
    kind: 'PrivateService',
    metadata: { name: 'wiki' },
    spec: { serviceRef: { name: 'wiki', port: 80 }, tunnelRef: { name: 'office' }, cloudflare: {} },
  }),
  change: () => ({ spec: { comment: 'changed' } }),
  references: [{ kind: serviceKind, ref: { namespace: 'default', name: 'wiki' } }],
});
