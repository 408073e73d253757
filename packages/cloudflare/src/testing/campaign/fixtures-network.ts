import type { Fixture } from './fixture.ts';

const cloudflare = {};
const api = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';

const tunnels = ['office', 'edge']
  .map(
    (name) =>
      `{ ${api}, kind: ClusterTunnel, metadata: { name: ${name} }, spec: { newTunnel: { name: ${name} }, cloudflare: {} } }`,
  )
  .concat(
    ['office', 'edge'].map(
      (name) =>
        `{ ${api}, kind: Tunnel, metadata: { name: ${name}, namespace: default }, spec: { newTunnel: { name: own-${name} }, cloudflare: {} } }`,
    ),
  )
  .join('\n---\n');
const networks = ['office', 'garage']
  .map((name) => `{ ${api}, kind: VirtualNetwork, metadata: { name: ${name} }, spec: { cloudflare: {} } }`)
  .join('\n---\n');
const services = ['wiki', 'shop']
  .map(
    (name, index) =>
      `{ apiVersion: v1, kind: Service, metadata: { name: ${name}, namespace: default }, spec: { ports: [{ port: 80 }], externalIPs: [192.0.2.${index + 1}] } }`,
  )
  .join('\n---\n');

/** What a record may take its addresses from, each twice. */
const recordSources = ['one', 'two'].flatMap((name, index) => {
  const at = `metadata: { name: ${name}, namespace: default }`;
  const address = `192.0.2.${index + 11}`;
  const gateway = 'apiVersion: gateway.networking.k8s.io/v1';
  return [
    `{ apiVersion: networking.k8s.io/v1, kind: Ingress, ${at}, spec: { defaultBackend: { service: { name: wiki, port: { number: 80 } } } }, status: { loadBalancer: { ingress: [{ ip: ${address} }] } } }`,
    `{ ${gateway}, kind: Gateway, ${at}, spec: { gatewayClassName: other, listeners: [{ name: a, port: 80, protocol: HTTP }] }, status: { addresses: [{ type: IPAddress, value: ${address} }] } }`,
    `{ ${gateway}, kind: HTTPRoute, ${at}, spec: { parentRefs: [{ name: ${name} }] } }`,
    `{ apiVersion: v1, kind: Node, metadata: { name: worker-${index + 1} }, status: { addresses: [{ type: InternalIP, address: ${address} }, { type: ExternalIP, address: ${address} }] } }`,
  ];
});

const networkRefs = {
  '*virtualNetworkRef.name': ['office', 'garage'],
  '*virtualNetworkRef.cloudflareName': ['office', 'garage'],
  '*virtualNetworkRef.cloudflareId': ['$made:0', '$made:1'],
  '*tunnelRef.name': ['office', 'edge'],
  '*tunnelRef.kind': ['Tunnel', 'ClusterTunnel'],
  '*tunnelRef.namespace': ['default', 'default'],
} as const;
const elsewhere = ['elsewhere', 'further'].map((name) => ['/teamnet/virtual_networks', { name }] as const);
const network = { remote: elsewhere } as const;

const tunnel: Fixture = {
  needs: `{ apiVersion: v1, kind: Secret, metadata: { name: cas, namespace: default }, stringData: { tls.crt: x } }`,
  bases: [
    { newTunnel: { name: 'subject' }, cloudflare },
    { existingTunnel: { name: 'there' }, cloudflare },
    { existingTunnel: { id: '$made:0' }, cloudflare },
  ],
  remote: [
    ['/cfd_tunnel', { name: 'there', config_src: 'cloudflare' }],
    ['/cfd_tunnel', { name: 'there-too', config_src: 'cloudflare' }],
  ],
  values: {
    deployPatch: ['spec: { replicas: 2 }', 'spec: { replicas: 3 }'],
    fallbackTarget: ['http_status:503', 'http://fallback:80'],
    originCaPool: ['cas', 'other-cas'],
    'existingTunnel.name': ['there', 'there-too'],
    'existingTunnel.id': ['$made:0', '$made:1'],
  },
};

const classConfig: Fixture = {
  needs: tunnels,
  bases: [{ tunnelRef: { kind: 'ClusterTunnel', name: 'office' } }],
  values: { ...networkRefs, watchNamespaces: [['default'], ['default', 'other']] },
};

export const networkFixtures: Readonly<Record<string, Fixture>> = {
  VirtualNetwork: {
    bases: [{ cloudflare }],
    leave: { isDefaultNetwork: 'a network cannot stop being the default at Cloudflare; another one must become it' },
  },
  NetworkRoute: {
    ...network,
    needs: `${tunnels}\n---\n${networks}`,
    bases: [
      { network: '10.9.0.0/16', tunnelRef: { name: 'office' }, cloudflare },
      {
        network: '10.9.0.0/16',
        tunnelRef: { name: 'office' },
        virtualNetworkRef: { cloudflareName: 'office' },
        cloudflare,
      },
    ],
    values: networkRefs,
  },
  PrivateService: {
    ...network,
    needs: `${tunnels}\n---\n${networks}\n---\n${services}`,
    bases: [
      { serviceRef: { name: 'wiki', port: 80 }, tunnelRef: { name: 'office' }, cloudflare },
      {
        serviceRef: { name: 'wiki', port: 80 },
        tunnelRef: { name: 'office' },
        virtualNetworkRef: { cloudflareName: 'office' },
        cloudflare,
      },
    ],
    values: { ...networkRefs, 'serviceRef.name': ['shop', 'wiki'], 'serviceRef.port': [80, 80] },
  },
  WARPConnector: {
    ...network,
    needs: networks,
    bases: [{ cloudflare }, { virtualNetworkRef: { cloudflareName: 'office' }, cloudflare }],
    values: {
      ...networkRefs,
      'resources.limits{}': ['100m', '200m'],
      'resources.requests{}': ['10m', '20m'],
      'resources.limits': [{ cpu: '100m' }, { cpu: '200m' }],
      'resources.requests': [{ cpu: '10m' }, { cpu: '20m' }],
      'tolerations[].operator': ['Equal', 'Equal'],
      'tolerations[].effect': ['NoExecute', 'NoExecute'],
    },
  },
  Tunnel: tunnel,
  ClusterTunnel: tunnel,
  TunnelBinding: {
    needs: `${tunnels}\n---\n${services}`,
    bases: [
      {
        subjects: [{ name: 'wiki', spec: { fqdn: 'wiki.example.com' } }],
        tunnelRef: { kind: 'ClusterTunnel', name: 'office' },
      },
    ],
    values: {
      ...networkRefs,
      'subjects[].name': ['wiki', 'shop'],
      'subjects[].kind': ['Service', 'Service'],
      'subjects[].spec.fqdn': ['a.example.com', 'b.example.com'],
      'subjects[].spec.protocol': ['https', 'http'],
      'subjects[].spec.path': ['/a', '/b'],
      'subjects[].spec.target': ['http://one:80', 'http://two:80'],
      'subjects[].spec.proxyAddress': ['127.0.0.2', '127.0.0.3'],
    },
  },
  TunnelIngressClassConfig: classConfig,
  TunnelGatewayClassConfig: classConfig,
  DNSRecord: {
    needs: [services, tunnels, ...recordSources].join('\n---\n'),
    bases: [
      { name: 'www.example.net', type: 'A', content: '192.0.2.9', cloudflare: { domain: 'example.net' } },
      {
        name: 'x.example.net',
        type: 'SRV',
        data: { service: '_sip', proto: '_tcp', priority: 1, weight: 1, port: 1, target: 'a.example.com' },
        cloudflare: { domain: 'example.net' },
      },
      {
        name: 'x.example.net',
        type: 'CAA',
        data: { flags: 0, tag: 'issue', value: 'example.com' },
        cloudflare: { domain: 'example.net' },
      },
      {
        name: 'x.example.net',
        type: 'TLSA',
        data: { usage: 3, selector: 1, matchingType: 1, certificate: 'ab' },
        cloudflare: { domain: 'example.net' },
      },
      {
        name: 'x.example.net',
        sourceRef: { service: { name: 'wiki', addressType: 'ExternalIP' } },
        cloudflare: { domain: 'example.net' },
      },
      ...(['ingress', 'httpRoute', 'gateway'] as const).map((source) => ({
        name: 'x.example.net',
        sourceRef: { [source]: { name: 'one', namespace: 'default' } },
        cloudflare: { domain: 'example.net' },
      })),
      {
        name: 'x.example.net',
        sourceRef: { node: { name: 'worker-1', addressType: 'InternalIP' } },
        cloudflare: { domain: 'example.net' },
      },
    ],
    values: {
      name: ['a.example.net', 'b.example.net'],
      content: ['192.0.2.1', '192.0.2.2'],
      ttl: [300, 600],
      tags: [['a:b'], ['c:d']],
      type: ['A', 'A'],
      'sourceRef.service.addressType': ['ExternalIP', 'ClusterIP'],
      'sourceRef.node.name': ['worker-1', 'worker-2'],
      'sourceRef.node.addressType': ['InternalIP', 'ExternalIP'],
      'sourceRef.ingress.name': ['one', 'two'],
      'sourceRef.httpRoute.name': ['one', 'two'],
      'sourceRef.gateway.name': ['one', 'two'],
      '*.namespace': ['default', 'default'],
      'cloudflare.domain': ['example.net', 'example.net'],
      'cloudflare.zoneId': ['$zone:example.net', '$zone:example.net'],
      'sourceRef.service.name': ['wiki', 'shop'],
      'sourceRef.service.namespace': ['default', 'default'],
    },
  },
};
