import { crdKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import {
  gatewayKind,
  grpcRouteKind,
  httpRouteKind,
  tcpRouteKind,
  udpRouteKind,
} from '../refs/gateway/gateway-kinds.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { gateway, http, route, toWeb } from './testing/gateway-objects.ts';
import { createGatewayWorld, install } from './testing/gateway-world.ts';
import type { GatewayWorld } from './testing/gateway-world.ts';
import { ingress, service } from './testing/ingress-objects.ts';
import { createTunnelWorld } from './testing/tunnel-world.ts';
import type { TunnelWorld } from './testing/tunnel-world.ts';

let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

async function start(...given: Parameters<typeof createGatewayWorld>): Promise<GatewayWorld> {
  const made = await createGatewayWorld(...given);
  world = made;
  return made;
}

const web = 'http://web.default.svc:80';
const ref = (name: string) => ({ namespace: 'default', name });
const domain = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'CloudflareDomain',
  metadata: { name: 'example' },
  spec: { domain: 'example.com' },
} as KubeObject;

type DnsAnswer = { readonly body: { readonly result: readonly { name: string; type: string; proxied: boolean }[] } };

function cnames({ sim }: TunnelWorld): readonly string[] {
  const zones = sim.zones.map(({ id }) => sim.dashboard('GET', `/zones/${id}/dns_records`) as DnsAnswer);
  return zones
    .flatMap(({ body }) => body.result)
    .filter(({ type }) => type === 'CNAME')
    .map(({ name, proxied }) => `${name}${proxied ? '' : ' (not proxied)'}`)
    .toSorted();
}

describe('what a tunnel can do of a route', { timeout: 60_000 }, () => {
  test('it does, and the rest is refused by condition: a rule alone, or the whole route', async () => {
    const made = await start();
    const matches = [{ headers: [{ name: 'x', value: 'y' }] }];
    const good = { matches: [{ path: { type: 'Exact', value: '/a' } }, { path: { value: '/b' } }], ...toWeb };
    await made.apply([
      gateway(),
      route('half', { rules: [good, { matches, ...toWeb }] }),
      route('none', { rules: [{ matches, ...toWeb }] }),
    ]);
    await made.settle();
    expect(made.routes()).toEqual([`half.example.com ^/a$ → ${web}`, `half.example.com ^/b(/|$) → ${web}`]);
    expect(made.ofRoute('half', 'Accepted')).toBe('True Accepted');
    expect(made.ofRoute('half', 'PartiallyInvalid')).toBe('True UnsupportedValue');
    expect(made.ofRoute('none', 'Accepted')).toBe('False UnsupportedValue');
    expect(made.get(gatewayKind, ref('edge'))?.status?.listeners?.[0]?.attachedRoutes).toBe(1);
    await made.apply(route('half', { rules: [good] }));
    await made.settle();
    expect(made.ofRoute('half', 'PartiallyInvalid')).toBe('');
  });

  test('backends that are not there, not Services or not granted answer 500 until they are', async () => {
    const made = await start();
    const other = { ...service('api', 8443), metadata: { name: 'api', namespace: 'stock' } };
    const to = (backend: object) => ({ rules: [{ backendRefs: [backend] }] });
    await made.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stock' } },
      other,
      gateway(),
      route('absent', to({ name: 'later', port: 80 })),
      route('odd', to({ group: 'example.com', kind: 'Bucket', name: 'files' })),
      route('port', to({ name: 'web', port: 81 })),
      route('far', to({ name: 'api', namespace: 'stock', port: 8443 })),
    ]);
    await made.settle();
    const reasons = () => ['absent', 'odd', 'port', 'far'].map((name) => made.ofRoute(name, 'ResolvedRefs'));
    expect(reasons()).toEqual([
      'False BackendNotFound',
      'False InvalidKind',
      'False BackendNotFound',
      'False RefNotPermitted',
    ]);
    expect(made.routes().map((each) => each.split(' → ')[1])).toEqual(
      Array.from({ length: 4 }, () => 'http_status:500'),
    );
    await made.apply([
      service('later'),
      {
        apiVersion: 'gateway.networking.k8s.io/v1beta1',
        kind: 'ReferenceGrant',
        metadata: { name: 'routes', namespace: 'stock' },
        spec: {
          from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'default' }],
          to: [{ group: '', kind: 'Service' }],
        },
      } as KubeObject,
    ]);
    await made.settle();
    expect(reasons()).toEqual(['True ResolvedRefs', 'False InvalidKind', 'False BackendNotFound', 'True ResolvedRefs']);
    expect(made.routes()).toContain('far.example.com → http://api.stock.svc:8443');
  });

  test('annotations say how to speak to the origin', async () => {
    const made = await start({ defaultOriginRequest: { connectTimeout: '5s' } });
    const annotations = { 'cloudflare-operator.io/protocol': 'https', 'cloudflare-operator.io/no-tls-verify': 'true' };
    await made.apply([gateway(), route('app', { annotations })]);
    await made.settle();
    expect(made.rules()[0]).toMatchObject({
      hostname: 'app.example.com',
      service: 'https://web.default.svc:80',
      originRequest: { noTLSVerify: true, connectTimeout: 5 },
    });
  });

  test('gRPC by method, TCP by an annotated host, UDP not at all', async () => {
    const made = await start();
    const listeners = [http, { name: 'tcp', port: 22, protocol: 'TCP' }, { name: 'udp', port: 53, protocol: 'UDP' }];
    const annotations = { 'cloudflare-operator.io/hostname': 'ssh.example.com' };
    await made.apply([
      service('shell', 22),
      gateway('edge', listeners),
      route('cart', { kind: 'GRPCRoute', rules: [{ matches: [{ method: { service: 'shop.Cart' } }], ...toWeb }] }),
      route('shell', { kind: 'TCPRoute', annotations, rules: [{ backendRefs: [{ name: 'shell', port: 22 }] }] }),
      route('nameless', { kind: 'TCPRoute' }),
      route('dns', { kind: 'UDPRoute' }),
    ]);
    await made.settle();
    expect(made.routes()).toEqual([
      `cart.example.com ^/shop\\.Cart(/|$) → ${web}`,
      'ssh.example.com → tcp://shell.default.svc:22',
    ]);
    expect(made.ofRoute('cart', 'Accepted', grpcRouteKind)).toBe('True Accepted');
    expect(made.ofRoute('shell', 'Accepted', tcpRouteKind)).toBe('True Accepted');
    expect(made.ofRoute('nameless', 'Accepted', tcpRouteKind)).toBe('False UnsupportedValue');
    expect(made.ofRoute('dns', 'Accepted', udpRouteKind)).toBe('False UnsupportedValue');
    expect(made.ofListener('udp', 'Accepted')).toBe('False UnsupportedProtocol');
    expect(made.ofListener('tcp', 'Programmed')).toBe('True Programmed');
    expect(made.ofGateway('Accepted')).toBe('True ListenersNotValid');
  });
});

describe('records of hosts', { timeout: 60_000 }, () => {
  test('each host has its own, as its routes and its Gateway wish, and loses it with its last route', async () => {
    const made = await start({ dnsManagement: 'Automatic' });
    const annotate = (name: string, value: string) => ({ annotations: { [`cloudflare-operator.io/${name}`]: value } });
    await made.apply([
      domain,
      gateway(),
      route('app', { hostnames: ['app.example.com', '*.dev.example.com'] }),
      route('also', { hostnames: ['app.example.com'], rules: [{ matches: [{ path: { value: '/also' } }], ...toWeb }] }),
      route('plain', annotate('dns-proxied', 'false')),
      route('silent', annotate('disable-dns', 'true')),
    ]);
    await made.settle();
    expect(cnames(made)).toEqual(['*.dev.example.com', 'app.example.com', 'plain.example.com (not proxied)']);
    expect(made.ofGateway('Programmed')).toBe('True Programmed');
    await made.delete(httpRouteKind, ref('app'));
    await made.settle();
    expect(cnames(made)).toEqual(['app.example.com', 'plain.example.com (not proxied)']);
    await made.delete(gatewayKind, ref('edge'));
    await made.settle();
    expect(cnames(made)).toEqual([]);
    expect(made.get(gatewayKind, ref('edge'))).toBeUndefined();
  });

  test('as objects of the cluster where the class says so', async () => {
    const made = await start({ dnsManagement: 'DNSRecord', dnsProxied: false });
    await made.apply([domain, gateway(), route('app')]);
    await made.settle();
    expect(made.get(dnsRecordKind, ref('edge-app-example-com'))).toMatchObject({
      metadata: {
        labels: { 'cloudflare-operator.io/managed-by': 'gateway-controller', 'cloudflare-operator.io/gateway': 'edge' },
      },
      spec: { name: 'app.example.com', type: 'CNAME', content: `${made.tunnelId()}.cfargotunnel.com`, proxied: false },
    });
    expect(cnames(made)).toEqual(['app.example.com (not proxied)']);
    await made.delete(httpRouteKind, ref('app'));
    await made.settle();
    expect(cnames(made)).toEqual([]);
  });
});

describe('what the class and the Gateway say', { timeout: 60_000 }, () => {
  test('the answer to what no rule matches is that of the class', async () => {
    const made = await start({ fallbackTarget: 'http_status:418' });
    await made.apply([gateway(), route('app')]);
    await made.settle();
    expect(made.rules().at(-1)).toMatchObject({ service: 'http_status:418' });
    await made.delete(gatewayKind, ref('edge'));
    await made.settle();
    expect(made.rules().at(-1)).toMatchObject({ service: 'http_status:404' });
  });

  test.each([
    ['an address of its own', { addresses: [{ type: 'IPAddress', value: '192.0.2.1' }] }, 'False UnsupportedAddress'],
    [
      'settings of its own',
      { infrastructure: { parametersRef: { group: 'a.b', kind: 'C', name: 'd' } } },
      'False InvalidParameters',
    ],
  ])('a Gateway that wants %s is not accepted', async (_name, spec, reason) => {
    const made = await start();
    await made.apply(gateway('edge', [http], spec));
    await made.settle();
    expect(made.ofGateway('Accepted')).toBe(reason);
    expect(made.ofGateway('Programmed')).toBe('False Invalid');
  });

  test('a certificate that a listener names must be there, though Cloudflare has its own', async () => {
    const made = await start();
    const tls = { certificateRefs: [{ name: 'cert' }] };
    await made.apply([gateway('edge', [{ name: 'https', port: 443, protocol: 'HTTPS', tls }]), route('app')]);
    await made.settle();
    expect(made.ofListener('https', 'ResolvedRefs')).toBe('False InvalidCertificateRef');
    const data = { 'tls.crt': 'YQ==', 'tls.key': 'Yg==' };
    await made.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cert' },
      type: 'kubernetes.io/tls',
      data,
    } as KubeObject);
    await made.settle();
    expect(made.ofListener('https', 'ResolvedRefs')).toBe('True ResolvedRefs');
    expect(made.routes()).toEqual([`app.example.com → ${web}`]);
  });
});

describe('kinds that are not installed', { timeout: 60_000 }, () => {
  test('keep nothing else from working, and are picked up when they come', async () => {
    const made = await start({}, { channels: ['standard'] });
    await made.apply([gateway('edge', [http, { name: 'tcp', port: 22, protocol: 'TCP' }]), route('app')]);
    await made.settle();
    expect(made.ofGateway('Programmed')).toBe('True Programmed');
    await made.delete(httpRouteKind, ref('app'));
    await made.settle();
    expect(made.routes()).toEqual([]);
    await install(made, 'experimental');
    const annotations = { 'cloudflare-operator.io/hostname': 'tcp.example.com' };
    await made.apply(route('late', { kind: 'TCPRoute', annotations }));
    await made.clock.advance(60_000);
    expect(made.routes()).toEqual(['tcp.example.com → tcp://web.default.svc:80']);
    expect(made.get(gatewayKind, ref('edge'))?.status?.listeners?.[1]?.attachedRoutes).toBe(1);
  });

  test('without any of them Ingresses come and go as ever', async () => {
    const made = await createTunnelWorld();
    world = made;
    await made.apply(ingress('app'));
    await made.clock.advance(10_000);
    expect(made.routes()).toHaveLength(1);
    await made.delete(ingressKind, ref('app'));
    await made.clock.advance(10_000);
    expect(made.routes()).toEqual([]);
    expect(made.list(crdKind).some(({ metadata }) => metadata.name?.includes('gateway.networking.k8s.io'))).toBe(false);
  });
});
