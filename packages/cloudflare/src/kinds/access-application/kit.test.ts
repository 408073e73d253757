import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { accessApplicationKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

const accessGroupKind = defineKind<KubeObject & { readonly status?: { readonly groupId?: string } }>({
  group: 'networking.cloudflare-operator.io',
  version: 'v1alpha2',
  kind: 'AccessGroup',
  plural: 'accessgroups',
  scope: 'Cluster',
});

describeKind('an Access application', {
  kind: accessApplicationKind,
  prepare: async (world) => {
    await world.apply({
      apiVersion,
      kind: 'AccessGroup',
      metadata: { name: 'staff' },
      spec: { include: [{ everyone: true }], cloudflare: {} },
    } as never);
    await world.waitFor(() => Boolean(world.get(accessGroupKind, { name: 'staff' })?.status?.groupId));
  },
  object: () => ({
    apiVersion,
    kind: 'AccessApplication',
    metadata: { name: 'wiki' },
    spec: { domain: 'wiki.example.com', policies: [{ name: 'staff' }], cloudflare: {} },
  }),
  change: () => ({ spec: { skipInterstitial: true } }),
  references: [{ kind: accessGroupKind, ref: { name: 'staff' } }],
  writes: 5,
});
