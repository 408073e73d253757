import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownNames, readAnnotations } from './annotations.ts';

test('docs/tunnels.md lists every annotation that there is', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../docs/tunnels.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-zA-Z0-9-]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set([...knownNames, 'protocol-PORT']));
});

describe('annotations of an Ingress', () => {
  const origin: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
    ['no-tls-verify', 'true', { noTLSVerify: true }],
    ['no-tls-verify', 'F', { noTLSVerify: false }],
    ['http2-origin', '1', { http2Origin: true }],
    ['ca-pool', 'internal.crt', { caPool: '/etc/cloudflared/certs/internal.crt' }],
    ['proxy-address', '10.0.0.1', { proxyAddress: '10.0.0.1' }],
    ['proxy-port', '8080', { proxyPort: 8080 }],
    ['proxy-type', 'socks', { proxyType: 'socks' }],
    ['connect-timeout', '1m', { connectTimeout: 60 }],
    ['tls-timeout', '10s', { tlsTimeout: 10 }],
    ['keep-alive-timeout', '90s', { keepAliveTimeout: 90 }],
    ['keep-alive-connections', '50', { keepAliveConnections: 50 }],
    ['origin-server-name', 'a.internal', { originServerName: 'a.internal' }],
    ['http-host-header', 'b.internal', { httpHostHeader: 'b.internal' }],
    ['disable-chunked-encoding', 'true', { disableChunkedEncoding: true }],
    ['bastion-mode', 't', { bastionMode: true }],
  ];
  for (const [name, value, is] of origin) {
    test(`${name}: ${value} reaches the API`, () => {
      expect(readAnnotations({ [`cloudflare.com/${name}`]: value })).toMatchObject({ originRequest: is, problems: [] });
    });
  }

  test('the others are about the Ingress itself', () => {
    const wishes = readAnnotations({
      'cloudflare.com/protocol': 'HTTPS',
      'cloudflare.com/protocol-8080': 'h2c',
      'cloudflare.com/protocol-metrics': 'tcp',
      'cloudflare.com/disable-dns': 'true',
      'cloudflare.com/dns-proxied': 'false',
      'cloudflare.com/priority': '50',
    });
    expect(wishes).toEqual({
      originRequest: {},
      protocol: 'https',
      protocolByPort: new Map([
        ['8080', 'h2c'],
        ['metrics', 'tcp'],
      ]),
      disableDns: true,
      dnsProxied: false,
      priority: 50,
      problems: [],
    });
  });

  const bad: readonly (readonly [string, string])[] = [
    ['no-tls-verify', 'yes'],
    ['proxy-port', '70000'],
    ['proxy-port', '-1'],
    ['proxy-type', 'http'],
    ['connect-timeout', '30'],
    ['keep-alive-connections', 'many'],
    ['protocol', 'gopher'],
    ['protocol-80', 'gopher'],
    ['disable-dns', ''],
    ['priority', '0'],
  ];
  for (const [name, value] of bad) {
    test(`${name}: "${value}" counts as absent and is named with its value`, () => {
      const wishes = readAnnotations({ [`cloudflare.com/${name}`]: value });
      expect(wishes).toMatchObject({ originRequest: {}, disableDns: false });
      expect(wishes.protocolByPort.size).toBe(0);
      expect(wishes.problems).toHaveLength(1);
      expect(wishes.problems[0]).toContain(`cloudflare.com/${name}: "${value}" is not `);
    });
  }

  const misspelt: readonly (readonly [string, string])[] = [
    [
      'no-tls-verfy',
      'cloudflare.com/no-tls-verfy: there is no such annotation; is cloudflare.com/no-tls-verify meant?',
    ],
    [
      'connection-timeout',
      'cloudflare.com/connection-timeout: there is no such annotation; is cloudflare.com/connect-timeout meant?',
    ],
    ['prioritiy', 'cloudflare.com/prioritiy: there is no such annotation; is cloudflare.com/priority meant?'],
    ['tunnel', 'cloudflare.com/tunnel: there is no such annotation'],
  ];
  for (const [name, problem] of misspelt) {
    test(`${name} is told`, () => {
      const annotations = { [`cloudflare.com/${name}`]: 'true', 'other.com/no-tls-verfy': 'true' };
      expect(readAnnotations(annotations)).toMatchObject({ originRequest: {}, problems: [problem] });
    });
  }

  test('under a prefix that others share only what looks like one of ours is told', () => {
    const names = [
      'adopt',
      'abandon',
      'deletion-policy',
      'dns-problems',
      'lost-rules',
      'hostname',
      'managed-by',
      'dns-proxyed',
    ];
    const annotations = Object.fromEntries(names.map((name) => [`cloudflare-operator.io/${name}`, 'true']));
    expect(readAnnotations(annotations, 'cloudflare-operator.io/').problems).toEqual([
      'cloudflare-operator.io/dns-proxyed: there is no such annotation; is cloudflare-operator.io/dns-proxied meant?',
    ]);
  });

  test('without any there is nothing', () => {
    expect(readAnnotations(undefined)).toEqual({
      originRequest: {},
      protocolByPort: new Map(),
      disableDns: false,
      problems: [],
    });
  });
});
