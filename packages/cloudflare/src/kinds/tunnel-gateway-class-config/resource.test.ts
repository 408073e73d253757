import { describe, expect, test } from 'vitest';
import { tunnelGatewayClassConfigKind } from './resource.ts';

const tunnelRef = { kind: 'Tunnel', name: 'edge' };

test('says what is not said', () => {
  expect(tunnelGatewayClassConfigKind.parseSpec({ tunnelRef })).toEqual({
    ok: true,
    value: { tunnelRef, dnsManagement: 'Automatic', dnsProxied: true, fallbackTarget: 'http_status:404' },
  });
});

describe('takes every form of the original', () => {
  test.each([
    [{ tunnelRef: { ...tunnelRef, namespace: 'edge' }, dnsManagement: 'DNSRecord', dnsProxied: false }],
    [
      {
        tunnelRef: { kind: 'ClusterTunnel', name: 'edge' },
        fallbackTarget: 'http_status:503',
        watchNamespaces: ['shop'],
      },
    ],
    [
      {
        tunnelRef,
        defaultOriginRequest: { noTlsVerify: true, connectTimeout: '30s', proxyPort: 1080, proxyType: 'socks' },
      },
    ],
  ])('%j', (spec) => {
    expect(tunnelGatewayClassConfigKind.parseSpec(spec)).toMatchObject({ ok: true });
  });
});

describe('refuses by the name of the field', () => {
  test.each([
    [{}, 'tunnelRef'],
    [{ tunnelRef: { kind: 'Bridge', name: 'edge' } }, 'tunnelRef.kind'],
    [{ tunnelRef: { kind: 'Tunnel', name: '' } }, 'tunnelRef.name'],
    [{ tunnelRef, dnsManagement: 'Sometimes' }, 'dnsManagement'],
    [{ tunnelRef, defaultOriginRequest: { proxyPort: 70_000 } }, 'defaultOriginRequest.proxyPort'],
  ])('%j', (spec, field) => {
    const checked = tunnelGatewayClassConfigKind.parseSpec(spec);
    expect(checked.ok ? '' : checked.message).toContain(field);
  });
});
