import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { tunnelGatewayClassConfigKind } from '../kinds/tunnel-gateway-class-config/resource.ts';
import { gatewayClassKind, gatewayKind, httpRouteKind } from '../refs/gateway/gateway-kinds.ts';
import { gateway, http, route, toWeb } from './testing/gateway-objects.ts';
import { createGatewayWorld } from './testing/gateway-world.ts';
import type { GatewayWorld } from './testing/gateway-world.ts';
import { service } from './testing/ingress-objects.ts';

let world: GatewayWorld | undefined;
afterEach(async () => world?.stop());

async function start(...given: Parameters<typeof createGatewayWorld>): Promise<GatewayWorld> {
  world = await createGatewayWorld(...given);
  return world;
}

const web = 'http://web.default.svc:80';
const ref = (name: string) => ({ namespace: 'default', name });

function namespace(name: string, labels: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } as KubeObject;
}

describe('a Gateway and its routes', { timeout: 60_000 }, () => {
  test('become rules of the tunnel by one PUT, say so in the official words, and then there is silence', async () => {
    const made = await start();
    await made.apply([gateway(), route('app'), route('shop')]);
    await made.settle();
    expect(made.routes()).toEqual([`app.example.com → ${web}`, `shop.example.com → ${web}`]);
    expect(made.sim.journal.calls({ write: true }).map(({ method }) => method)).toEqual(['PUT']);
    expect(made.get(gatewayClassKind, { name: 'cloudflare' })?.status?.conditions).toMatchObject([
      { type: 'Accepted', status: 'True', reason: 'Accepted', observedGeneration: 1 },
    ]);
    const official = { group: 'gateway.networking.k8s.io' };
    expect(made.get(gatewayKind, ref('edge'))?.status).toMatchObject({
      addresses: [{ type: 'Hostname', value: `${made.tunnelId()}.cfargotunnel.com` }],
      conditions: [
        { type: 'Accepted', status: 'True', reason: 'Accepted', observedGeneration: 1 },
        { type: 'Programmed', status: 'True', reason: 'Programmed', observedGeneration: 1 },
      ],
      listeners: [
        {
          name: 'http',
          attachedRoutes: 2,
          supportedKinds: [
            { ...official, kind: 'HTTPRoute' },
            { ...official, kind: 'GRPCRoute' },
          ],
          conditions: [
            { type: 'Accepted', status: 'True', reason: 'Accepted' },
            { type: 'Programmed', status: 'True', reason: 'Programmed' },
            { type: 'ResolvedRefs', status: 'True', reason: 'ResolvedRefs' },
            { type: 'Conflicted', status: 'False', reason: 'NoConflicts' },
          ],
        },
      ],
    });
    expect(made.get(httpRouteKind, ref('app'))?.status).toMatchObject({
      parents: [
        {
          controllerName: 'cloudflare-operator.io/gateway-controller',
          parentRef: { ...official, kind: 'Gateway', name: 'edge' },
          conditions: [
            { type: 'Accepted', status: 'True', reason: 'Accepted', observedGeneration: 1 },
            { type: 'ResolvedRefs', status: 'True', reason: 'ResolvedRefs', observedGeneration: 1 },
          ],
        },
      ],
    });
    made.clearCounts();
    await made.clock.advance(10 * 60_000);
    await made.stopReplica('replica-1');
    made.start('replica-1');
    await made.clock.advance(60_000);
    expect(made.writes()).toEqual([]);
    expect(made.sim.journal.calls({ write: true })).toEqual([]);
  });

  test('two Gateways of one class share the tunnel, and one that goes takes only its own', async () => {
    const made = await start();
    const other = route('shop', { parents: [{ name: 'second' }] });
    await made.apply([gateway(), gateway('second'), route('app'), other]);
    await made.settle();
    expect(made.routes()).toEqual([`app.example.com → ${web}`, `shop.example.com → ${web}`]);
    expect(
      made.get(tunnelGatewayClassConfigKind, { namespace: 'cloudflare-operator-system', name: 'cloudflare' })?.status,
    ).toMatchObject({
      tunnelId: made.tunnelId(),
      tunnelName: 'edge',
      gatewayCount: 2,
      routeCount: 2,
      state: 'active',
      syncedHostnames: ['app.example.com', 'shop.example.com'],
      conditions: [{ type: 'Ready', status: 'True', reason: 'Reconciled' }],
    });
    await made.delete(gatewayKind, ref('second'));
    await made.settle();
    expect(made.get(gatewayKind, ref('second'))).toBeUndefined();
    expect(made.routes()).toEqual([`app.example.com → ${web}`]);
    expect(made.get(httpRouteKind, ref('shop'))).toMatchObject({ status: { parents: [] } });
    expect(made.get(httpRouteKind, ref('shop'))?.metadata.finalizers ?? []).toEqual([]);
  });

  test('a route for which two ask at once goes to the older, and the other is told', async () => {
    const made = await start();
    await made.apply([gateway(), service('next'), route('first', { hostnames: ['app.example.com'] })]);
    await made.settle();
    const rules = [{ backendRefs: [{ name: 'next', port: 80 }] }];
    await made.apply(route('second', { hostnames: ['app.example.com'], rules }));
    await made.settle();
    expect(made.routes()).toEqual([`app.example.com → ${web}`]);
    const [parent] = made.get(httpRouteKind, ref('second'))?.status?.parents ?? [];
    expect(parent?.conditions?.[0]).toMatchObject({
      status: 'True',
      message: 'the tunnel has its rules; app.example.com goes to HTTPRoute/default/first',
    });
  });

  test('a class that is taken away is no wish to end anything, and deletion does not need it', async () => {
    const made = await start();
    await made.apply([gateway(), route('app')]);
    await made.settle();
    await made.delete(gatewayClassKind, { name: 'cloudflare' });
    const config = { namespace: 'cloudflare-operator-system', name: 'cloudflare' };
    await made.delete(tunnelGatewayClassConfigKind, config);
    await made.clock.advance(60_000);
    expect(made.routes()).toEqual([`app.example.com → ${web}`]);
    expect(made.ofGateway('Accepted')).toBe('False Pending');
    expect(made.ofRoute('app', 'Accepted')).toBe('False Pending');
    await made.delete(httpRouteKind, ref('app'));
    await made.delete(gatewayKind, ref('edge'));
    await made.settle();
    expect(made.get(httpRouteKind, ref('app')) ?? made.get(gatewayKind, ref('edge'))).toBeUndefined();
    expect(made.routes()).toEqual([]);
    const sources = made.list(syncStateKind).flatMap(({ spec }) => spec.sources ?? []);
    expect(sources.filter(({ ref: { kind } }) => kind === 'Gateway' || kind === 'HTTPRoute')).toEqual([]);
  });

  test('what other controllers say about a route stays, and ours goes when the route leaves', async () => {
    const made = await start();
    await made.apply([gateway(), route('app', { parents: [{ name: 'edge' }, { name: 'elsewhere' }] })]);
    await made.settle();
    const condition = { type: 'Accepted', status: 'True', reason: 'Accepted', message: '' } as const;
    const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const theirs = { parentRef: { name: 'elsewhere' }, controllerName: 'example.com/other', conditions };
    const ours = made.get(httpRouteKind, ref('app'))?.status?.parents ?? [];
    expect(ours).toHaveLength(1);
    const body = { status: { parents: [theirs, ...ours] } };
    await made.user.client.patchStatus(httpRouteKind, ref('app'), { type: 'merge', body });
    await made.settle();
    const names = () =>
      made.get(httpRouteKind, ref('app'))?.status?.parents?.map(({ controllerName }) => controllerName);
    expect(names()).toEqual(['example.com/other', 'cloudflare-operator.io/gateway-controller']);
    await made.apply(route('app', { parents: [{ name: 'elsewhere' }] }));
    await made.settle();
    expect(names()).toEqual(['example.com/other']);
    expect(made.get(httpRouteKind, ref('app'))?.metadata.finalizers ?? []).toEqual([]);
    expect(made.routes()).toEqual([]);
  });
});

describe('who may attach', { timeout: 60_000 }, () => {
  test('by namespace: the same, all, or those with a label, which may come later', async () => {
    const made = await start();
    const from = (name: string, port: number, namespaces?: object) => ({
      ...http,
      name,
      port,
      ...(namespaces && { allowedRoutes: { namespaces } }),
    });
    const listeners = [
      from('same', 81),
      from('all', 82, { from: 'All' }),
      from('some', 83, { from: 'Selector', selector: { matchLabels: { team: 'blue' } } }),
    ];
    const at = (section: string) => [{ name: 'edge', namespace: 'default', sectionName: section }];
    const away = { namespace: 'shop', rules: [{ backendRefs: [] }] };
    await made.apply([
      namespace('shop'),
      gateway('edge', listeners),
      ...['same', 'all', 'some'].map((name) => route(name, { ...away, parents: at(name) })),
    ]);
    await made.settle();
    const accepted = (name: string) => {
      const [parent] = made.get(httpRouteKind, { namespace: 'shop', name })?.status?.parents ?? [];
      return parent?.conditions?.[0]?.reason;
    };
    expect(['same', 'all', 'some'].map(accepted)).toEqual([
      'NotAllowedByListeners',
      'Accepted',
      'NotAllowedByListeners',
    ]);
    expect(made.routes()).toEqual(['all.example.com → http_status:500']);
    await made.apply(namespace('shop', { team: 'blue' }));
    await made.settle();
    expect(accepted('some')).toBe('Accepted');
    const counts = made.get(gatewayKind, ref('edge'))?.status?.listeners?.map((each) => each.attachedRoutes);
    expect(counts).toEqual([0, 1, 1]);
  });

  test('by name and port of the listener, and by host name', async () => {
    const made = await start();
    const listeners = [
      { ...http, name: 'wide', hostname: '*.example.com' },
      { ...http, name: 'narrow', port: 8080, hostname: 'app.example.com' },
    ];
    const parent = (more: object) => [{ name: 'edge', ...more }];
    await made.apply([
      gateway('edge', listeners),
      route('by-name', { hostnames: ['*.example.com'], parents: parent({ sectionName: 'narrow' }) }),
      route('by-port', { hostnames: ['shop.example.com'], parents: parent({ port: 80 }) }),
      route('no-listener', { parents: parent({ sectionName: 'none' }) }),
      route('no-port', { parents: parent({ port: 1 }) }),
      route('no-host', { hostnames: ['app.example.org'] }),
      route('no-name', {
        hostnames: [],
        parents: parent({ sectionName: 'narrow' }),
        rules: [{ matches: [{ path: { value: '/x' } }], ...toWeb }],
      }),
    ]);
    await made.settle();
    const reasons = ['by-name', 'by-port', 'no-listener', 'no-port', 'no-host', 'no-name'].map((name) =>
      made.ofRoute(name, 'Accepted'),
    );
    expect(reasons).toEqual([
      'True Accepted',
      'True Accepted',
      'False NoMatchingParent',
      'False NoMatchingParent',
      'False NoMatchingListenerHostname',
      'True Accepted',
    ]);
    expect(made.routes()).toEqual([
      `app.example.com ^/x(/|$) → ${web}`,
      `app.example.com → ${web}`,
      `shop.example.com → ${web}`,
    ]);
  });

  test('not from a namespace that the class does not watch', async () => {
    const made = await start({ watchNamespaces: ['default'] });
    const all = { ...http, allowedRoutes: { namespaces: { from: 'All' } } };
    const parents = [{ name: 'edge', namespace: 'default' }];
    await made.apply([
      namespace('shop'),
      gateway('edge', [all]),
      route('app'),
      route('far', { namespace: 'shop', parents }),
    ]);
    await made.settle();
    expect(made.routes()).toEqual([`app.example.com → ${web}`]);
    const far = made.get(httpRouteKind, { namespace: 'shop', name: 'far' });
    expect(far?.status?.parents?.[0]?.conditions?.[0]?.reason).toBe('NotAllowedByListeners');
  });
});
