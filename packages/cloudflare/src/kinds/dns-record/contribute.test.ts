import type { AnyObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { fakeRefs } from '../../refs/testing/fake-refs.ts';
import { dnsRecordContributor } from './contribute.ts';
import { dnsRecordKind } from './resource.ts';
import type { DnsRecord } from './resource.ts';

const group = 'networking.cloudflare-operator.io/v1alpha2';
const credentials: AnyObject = {
  apiVersion: group,
  kind: 'CloudflareCredentials',
  metadata: { name: 'main', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { accountId: 'account', authType: 'apiToken', secretRef: { name: 's' }, isDefault: true },
};
const domain: AnyObject = {
  apiVersion: group,
  kind: 'CloudflareDomain',
  metadata: { name: 'com', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { domain: 'example.com' },
  status: { zoneId: 'zone', accountId: 'account' },
};

function recordOf(spec: object, more: object = {}): DnsRecord {
  const parsed = dnsRecordKind.parseSpec({ cloudflare: {}, ...spec });
  if (!parsed.ok) throw new Error(parsed.message);
  return { metadata: { namespace: 'default', name: 'web' }, spec: parsed.value, ...more };
}

function refsOf(...objects: readonly AnyObject[]): Refs {
  return fakeRefs([credentials, domain, ...objects]);
}

function wishes(record: DnsRecord, refs: Refs = refsOf()): unknown {
  const resolution = dnsRecordContributor.resolve(record, refs);
  if (!resolution.ok) return resolution;
  return dnsRecordContributor
    .contribute(record, resolution.value)
    .map(({ syncState, config }) => ({ key: syncState.key, ...config }));
}

const key = { accountId: 'account', zoneId: 'zone', owner: 'DNSRecord/default/web', record: '' };

test.each([
  ['www', 'www.example.com'],
  ['WWW.Example.COM.', 'www.example.com'],
  ['@', 'example.com'],
  ['_dmarc', '_dmarc.example.com'],
  ['*', '*.example.com'],
  ['bücher', 'xn--bcher-kva.example.com'],
])('the name %s becomes %s', (name, whole) => {
  const record = recordOf({ name, type: 'A', content: '192.0.2.1', cloudflare: { domain: 'example.com' } });
  expect(wishes(record)).toEqual([{ key, name: whole, type: 'A', content: '192.0.2.1', ttl: 1, proxied: false }]);
});

test('a delegation stands in the domain that it names; what an Ingress made goes by the domain that covers the host', () => {
  const sub: AnyObject = {
    ...domain,
    metadata: { ...domain.metadata, name: 'sub' },
    spec: { domain: 'sub.example.com' },
    status: { zoneId: 'zone-sub', accountId: 'account' },
  };
  const spec = {
    name: 'sub.example.com',
    type: 'NS',
    content: 'ns.example.org',
    cloudflare: { domain: 'example.com' },
  };
  expect(wishes(recordOf(spec), refsOf(sub))).toMatchObject([{ key: { zoneId: 'zone' } }]);
  const metadata = { namespace: 'default', name: 'web', labels: { 'cloudflare-operator.io/owner': 'Ingress.1' } };
  expect(wishes(recordOf(spec, { metadata }), refsOf(sub))).toMatchObject([{ key: { zoneId: 'zone-sub' } }]);
});

test('the service and protocol of an SRV record stand before its name', () => {
  const data = { service: 'sip', proto: '_TCP', weight: 0, port: 5060, target: 'sip.example.com' };
  expect(wishes(recordOf({ name: 'example.com', type: 'SRV', data, priority: 0 }))).toEqual([
    { key, name: '_sip._tcp.example.com', type: 'SRV', ttl: 1, proxied: false, priority: 0, data },
  ]);
  expect(wishes(recordOf({ name: '_sip._tcp.example.com', type: 'SRV', data }))).toMatchObject([
    { name: '_sip._tcp.example.com' },
  ]);
});

test('what the user says goes along, and the annotation to adopt', () => {
  const spec = {
    name: 'a.example.com',
    type: 'A',
    content: '192.0.2.1',
    ttl: 60,
    proxied: true,
    comment: 'c',
    tags: ['t'],
  };
  const metadata = { namespace: 'default', name: 'web', annotations: { 'cloudflare-operator.io/adopt': 'true' } };
  expect(wishes(recordOf(spec, { metadata }))).toEqual([
    {
      key,
      name: 'a.example.com',
      type: 'A',
      content: '192.0.2.1',
      ttl: 60,
      proxied: true,
      comment: 'c',
      tags: ['t'],
      adopt: true,
    },
  ]);
});

function service(spec: object, status: object = {}): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'default', name: 'web', resourceVersion: '7' },
    spec,
    status,
  };
}

const balanced = service(
  {},
  {
    loadBalancer: {
      ingress: [{ hostname: 'lb.example.org' }, { ip: '2001:db8::1' }, { ip: '192.0.2.1' }, { ip: '192.0.2.2' }],
    },
  },
);
const from = (source: object, more: object = {}): DnsRecord =>
  recordOf({ name: 'a.example.com', sourceRef: { service: { name: 'web', ...source } }, ...more });

test.each([
  { what: 'the first address', record: from({}), found: [['', 'AAAA', '2001:db8::1']] },
  { what: 'the first address that fits the type', record: from({}, { type: 'A' }), found: [['', 'A', '192.0.2.1']] },
  {
    what: 'an address of version 4',
    record: from({}, { addressSelection: 'PreferIPv4' }),
    found: [['', 'A', '192.0.2.1']],
  },
  {
    what: 'a record for each address',
    record: from({}, { addressSelection: 'All' }),
    found: [
      ['2001:db8::1', 'AAAA', '2001:db8::1'],
      ['192.0.2.1', 'A', '192.0.2.1'],
      ['192.0.2.2', 'A', '192.0.2.2'],
    ],
  },
  {
    what: 'each address of a type',
    record: from({}, { addressSelection: 'All', type: 'AAAA' }),
    found: [['2001:db8::1', 'AAAA', '2001:db8::1']],
  },
  {
    what: 'the name of a balancer',
    record: from({ addressType: 'LoadBalancerHostname' }),
    found: [['', 'CNAME', 'lb.example.org']],
  },
])('of a Service: $what', ({ record, found }) => {
  const made = wishes(record, refsOf(balanced)) as readonly {
    key: { record: string };
    type: string;
    content: string;
  }[];
  expect(made.map((each) => [each.key.record, each.type, each.content])).toEqual(found);
});

const gatewayApi = 'gateway.networking.k8s.io/v1';
const crd = (name: string): AnyObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${name}.gateway.networking.k8s.io` },
});
const gateway: AnyObject = {
  apiVersion: gatewayApi,
  kind: 'Gateway',
  metadata: { namespace: 'infra', name: 'gw' },
  status: { addresses: [{ value: '192.0.2.8' }] },
};
const route: AnyObject = {
  apiVersion: gatewayApi,
  kind: 'HTTPRoute',
  metadata: { namespace: 'default', name: 'web' },
  spec: { parentRefs: [{ name: 'gone' }, { name: 'gw', namespace: 'infra' }] },
};

test.each([
  {
    what: 'a Service by its own addresses',
    source: { service: { name: 'web', addressType: 'ExternalIP' } },
    objects: [service({ externalIPs: ['192.0.2.5'] })],
    content: '192.0.2.5',
  },
  {
    what: 'a Service by its cluster IP',
    source: { service: { name: 'web', addressType: 'ClusterIP' } },
    objects: [service({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] })],
    content: '10.0.0.1',
  },
  {
    what: 'a Service that is a name',
    source: { service: { name: 'web', addressType: 'ExternalName' } },
    objects: [service({ type: 'ExternalName', externalName: 'x.example.org' })],
    content: 'x.example.org',
  },
  {
    what: 'an Ingress',
    source: { ingress: { name: 'web' } },
    objects: [{ ...balanced, apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' }],
    content: 'lb.example.org',
  },
  {
    what: 'a Gateway',
    source: { gateway: { name: 'gw', namespace: 'infra' } },
    objects: [gateway, crd('gateways')],
    content: '192.0.2.8',
  },
  {
    what: 'the Gateways of an HTTPRoute',
    source: { httpRoute: { name: 'web' } },
    objects: [gateway, route, crd('gateways'), crd('httproutes')],
    content: '192.0.2.8',
  },
  {
    what: 'a Node',
    source: { node: { name: 'n1', addressType: 'InternalIP' } },
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n1' },
        status: {
          addresses: [
            { type: 'Hostname', address: 'n1' },
            { type: 'InternalIP', address: '10.1.1.1' },
          ],
        },
      },
    ],
    content: '10.1.1.1',
  },
])('the value can come from $what', ({ source, objects, content }) => {
  expect(wishes(recordOf({ name: 'a.example.com', sourceRef: source }), refsOf(...objects))).toMatchObject([
    { content },
  ]);
});

test('a source without an address is waited for', () => {
  expect(wishes(from({}), refsOf(service({})))).toMatchObject({
    state: 'waiting',
    reason: 'NoAddress',
    message: 'Service default/web has no address yet',
  });
});

test('a source that is gone takes its record along, or leaves it as it was last', () => {
  const gone = { ok: false, reason: 'SourceDeleted', message: 'Service default/web is not there' };
  expect(wishes(from({}))).toMatchObject({ ...gone, release: true });
  const kept = recordOf(
    { name: 'a.example.com', sourceRef: { service: { name: 'web' } }, sourceDeletionPolicy: 'Orphan' },
    { status: { resolvedAddresses: ['192.0.2.1'] } },
  );
  expect(wishes(kept)).toMatchObject([{ content: '192.0.2.1' }]);
  expect(wishes({ ...kept, status: {} })).toMatchObject({ ...gone, release: false });
});

test('a cluster without the Gateway API has no such source', () => {
  expect(wishes(recordOf({ name: 'a.example.com', sourceRef: { gateway: { name: 'gw' } } }))).toMatchObject({
    reason: 'SourceDeleted',
    message: 'Gateway default/gw is not there',
  });
});
