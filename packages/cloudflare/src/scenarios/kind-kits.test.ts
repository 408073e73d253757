import type { KubeObject } from '@tributary/runtime';
import { getCondition } from '@tributary/runtime';
import { describeKind } from '../engine/l2-controllers/testing/kind-kit.ts';
import { tunnelBindingKind } from '../kinds/tunnel-binding/resource.ts';
import { gatewayKind, httpRouteKind } from '../refs/gateway/gateway-kinds.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { gateway, http } from './testing/gateway-objects.ts';
import { ingress } from './testing/ingress-objects.ts';
import { prepareGateway, prepareTunnel, routeCase, ruleFor, toTunnel } from './testing/tunnel-kits.ts';

describeKind('an Ingress', {
  writes: 6,
  kind: ingressKind,
  prepare: prepareTunnel,
  object: () => ingress('app'),
  change: () => ({ spec: (ingress('app', { backend: 'other' }) as KubeObject & { readonly spec: object }).spec }),
  isReady: (world, generation) =>
    ruleFor(world, 'app.example.com')?.service.includes(generation === 1 ? 'web.' : 'other.') ?? false,
  references: toTunnel,
});

const subjects = (name: string): object => ({ subjects: [{ name, spec: { fqdn: 'shop.example.com' } }] });

describeKind('a TunnelBinding', {
  writes: 5,
  kind: tunnelBindingKind,
  prepare: prepareTunnel,
  object: () =>
    ({
      apiVersion: 'networking.cloudflare-operator.io/v1alpha1',
      kind: 'TunnelBinding',
      metadata: { name: 'shop', namespace: 'default' },
      ...subjects('web'),
      tunnelRef: { kind: 'ClusterTunnel', name: 'edge', disableDNSUpdates: true },
    }) as KubeObject,
  change: () => subjects('other'),
  isReady: (world, generation) =>
    ruleFor(world, 'shop.example.com')?.service.includes(generation === 1 ? 'web.' : 'other.') ?? false,
  references: toTunnel,
});

describeKind('a Gateway', {
  writes: 5,
  kind: gatewayKind,
  readOnly: true,
  prepare: async (world) => prepareGateway(world),
  object: () => gateway(),
  change: () => ({ spec: { gatewayClassName: 'cloudflare', listeners: [http, { ...http, name: 'more', port: 81 }] } }),
  isReady: (world, generation) => {
    const seen = world.get(gatewayKind, { namespace: 'default', name: 'edge' });
    const programmed = getCondition(seen?.status?.conditions, 'Programmed');
    return programmed?.status === 'True' && programmed.observedGeneration === generation;
  },
});

describeKind('an HTTPRoute', routeCase(httpRouteKind, 'HTTP'));
