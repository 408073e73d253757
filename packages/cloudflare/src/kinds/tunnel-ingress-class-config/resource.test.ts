import { expect, test } from 'vitest';
import { tunnelIngressClassConfigKind } from './resource.ts';

const tunnelRef = { kind: 'ClusterTunnel', name: 'edge' };

test('a TunnelIngressClassConfig has the short name, columns and defaults of the original', () => {
  const { names, versions } = tunnelIngressClassConfigKind.toCrd().spec;
  expect(names.shortNames).toEqual(['ticc']);
  expect(versions[0]?.additionalPrinterColumns?.map(({ name }) => name)).toEqual([
    'Tunnel',
    'Kind',
    'DNS',
    'Ingresses',
    'State',
    'Age',
  ]);
  expect(tunnelIngressClassConfigKind.parseSpec({ tunnelRef })).toEqual({
    ok: true,
    value: { tunnelRef, defaultProtocol: 'http', dnsManagement: 'Automatic', dnsProxied: true },
  });
});

test.each([
  ['spec.tunnelRef.kind', { tunnelRef: { name: 'edge' } }],
  ['spec.dnsManagement', { tunnelRef, dnsManagement: 'Sometimes' }],
  ['spec.defaultProtocol', { tunnelRef, defaultProtocol: 'gopher' }],
  ['spec.defaultOriginRequest.proxyPort', { tunnelRef, defaultOriginRequest: { proxyPort: 0 } }],
])('a wrong %s is refused by its name', (field, spec) => {
  expect(tunnelIngressClassConfigKind.parseSpec(spec)).toMatchObject({ ok: false, problems: [{ field }] });
});
