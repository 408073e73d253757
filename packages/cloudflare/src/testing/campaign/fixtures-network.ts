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

const networkRefs = {
  '*virtualNetworkRef.name': ['office', 'garage'],
  '*virtualNetworkRef.cloudflareName': ['office', 'garage'],
  '*tunnelRef.name': ['office', 'edge'],
  '*tunnelRef.kind': ['Tunnel', 'ClusterTunnel'],
  '*tunnelRef.namespace': ['default', 'default'],
} as const;
const network = { remote: [] } as const;

const tunnel: Fixture = {
  needs: `{ apiVersion: v1, kind: Secret, metadata: { name: cas, namespace: default }, stringData: { tls.crt: x } }`,
  bases: [
    { newTunnel: { name: 'subject' }, cloudflare },
    { existingTunnel: { name: 'there' }, cloudflare },
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
    leave: { 'virtualNetworkRef.cloudflareId': 'ids are those of the run' },
  },
  PrivateService: {
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
    leave: { 'virtualNetworkRef.cloudflareId': 'ids are those of the run' },
  },
  WARPConnector: {
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
    leave: { 'virtualNetworkRef.cloudflareId': 'ids are those of the run' },
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
    needs: `${services}\n---\n${tunnels}`,
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
      'sourceRef.ingress.namespace': ['default', 'default'],
      'cloudflare.domain': ['example.net', 'example.net'],
      'cloudflare.zoneId': ['$zone:example.net', '$zone:example.net'],
      'sourceRef.service.name': ['wiki', 'shop'],
      'sourceRef.service.namespace': ['default', 'default'],
    },
  },
};
