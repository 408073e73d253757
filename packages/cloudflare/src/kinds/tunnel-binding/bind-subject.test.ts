import { describe, expect, test } from 'vitest';
import { bindSubject } from './bind-subject.ts';
import type { BoundResult } from './bind-subject.ts';
import { tunnelBindingKind } from './resource.ts';

type Port = { readonly port: number; readonly protocol?: string };

function bind(spec: object, ports: readonly Port[] | undefined = [{ port: 80 }], domain = 'example.com'): BoundResult {
  const tunnelRef = { kind: 'Tunnel', name: 't' };
  const read = tunnelBindingKind.parseObject({ metadata: {}, subjects: [{ name: 'web', spec }], tunnelRef } as never);
  const [subject] = read.ok ? read.value.subjects : [];
  if (!subject) throw new Error('the subject is not valid');
  const service = ports && { metadata: { name: 'web' }, spec: { ports } };
  return bindSubject(subject, { namespace: 'shop', domain: domain || undefined, service });
}

describe('a subject', () => {
  test('has the name of its Service in the domain of the tunnel, and its first port', () => {
    expect(bind({}, [{ port: 8080 }, { port: 9 }])).toEqual({
      ok: true,
      value: { rule: { hostname: 'web.example.com', service: 'http://web.shop.svc:8080' } },
    });
  });

  test.each([
    ['Bücher.example.com', 'xn--bcher-kva.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['*.Example.com', '*.example.com'],
  ])('has its host %s as DNS and the API write it', (fqdn, hostname) => {
    expect(bind({ fqdn })).toMatchObject({ ok: true, value: { rule: { hostname } } });
  });

  test('may say all of it itself; a path is a regular expression and passes as it is', () => {
    const spec = {
      fqdn: 'API.example.com',
      path: '/v[12]/.*',
      target: 'https://10.0.0.1:8443',
      caPool: 'ca.crt',
      noTlsVerify: true,
      http2Origin: true,
      proxyPort: 1080,
      proxyType: 'socks',
    };
    expect(bind(spec)).toEqual({
      ok: true,
      value: {
        rule: {
          hostname: 'api.example.com',
          path: '/v[12]/.*',
          service: 'https://10.0.0.1:8443',
          originRequest: {
            noTLSVerify: true,
            http2Origin: true,
            caPool: '/etc/cloudflared/certs/ca.crt',
            proxyAddress: '127.0.0.1',
            proxyPort: 1080,
            proxyType: 'socks',
          },
        },
      },
    });
  });

  const protocols: readonly (readonly [string, object, Port, string])[] = [
    ['port 22', {}, { port: 22 }, 'ssh'],
    ['port 139', {}, { port: 139 }, 'smb'],
    ['port 445', {}, { port: 445 }, 'smb'],
    ['port 443', {}, { port: 443 }, 'https'],
    ['port 3389', {}, { port: 3389 }, 'rdp'],
    ['another port', {}, { port: 1234 }, 'http'],
    ['UDP', {}, { port: 443, protocol: 'UDP' }, 'udp'],
    ['its own word', { protocol: 'tcp' }, { port: 443 }, 'tcp'],
    ['a word that is none', { protocol: 'gopher' }, { port: 443 }, 'https'],
  ];
  for (const [name, spec, port, scheme] of protocols) {
    test(`speaks by ${name}: ${scheme}`, () => {
      const bound = bind(spec, [port]);
      expect(bound.ok && bound.value.rule.service).toBe(`${scheme}://web.shop.svc:${port.port}`);
      expect(bound.ok && bound.value.problem !== undefined).toBe('protocol' in spec && spec.protocol === 'gopher');
    });
  }

  test('without its Service answers 404 and says so', () => {
    const none = bindSubject(
      { kind: 'Service', name: 'web', spec: { ...defaults, fqdn: 'a.example.com' } },
      { namespace: 'shop', domain: undefined, service: undefined },
    );
    expect(none).toMatchObject({
      value: { rule: { service: 'http_status:404' }, problem: 'Service shop/web is not there' },
    });
    expect(bind({}, [])).toMatchObject({ value: { problem: 'Service shop/web has no port' } });
  });

  const bad: readonly (readonly [object, string])[] = [
    [{ fqdn: 'a.example.com:80' }, 'spec.fqdn: "a.example.com:80"'],
    [{ path: '(' }, 'spec.path: "("'],
    [{ target: 'http://a/b' }, 'spec.target: "http://a/b"'],
  ];
  for (const [spec, says] of bad) {
    test(`with ${JSON.stringify(spec)} is refused by the name of the field`, () => {
      const bound = bind(spec);
      expect(bound.ok ? '' : bound.message).toContain(says);
    });
  }

  test('needs a name of its own where the tunnel has no domain', () => {
    expect(bind({}, [{ port: 80 }], '')).toMatchObject({ ok: false, message: expect.stringContaining('spec.fqdn') });
  });
});

const defaults = {
  noTlsVerify: false,
  http2Origin: false,
  proxyAddress: '127.0.0.1',
  proxyPort: 0,
  proxyType: '',
} as const;

describe('the schema', () => {
  const parse = (fields: object) => tunnelBindingKind.parseObject({ metadata: {}, ...fields });
  const subjects = [{ name: 'web' }];

  test('takes what older manifests say', () => {
    const spec = { fqdn: 'a.example.com', protocol: 'http', noTlsVerify: false, proxyAddress: '::1', proxyPort: 0 };
    const given = { subjects: [{ kind: 'Service', name: 'web', spec }], tunnelRef: { kind: 'Tunnel', name: 't' } };
    expect(parse(given).ok).toBe(true);
  });

  const bad: readonly (readonly [object, string])[] = [
    [{ subjects }, 'tunnelRef'],
    [{ tunnelRef: { kind: 'Tunnel', name: 't' } }, 'subjects'],
    [{ subjects, tunnelRef: { kind: 'Other', name: 't' } }, 'tunnelRef.kind'],
    [
      { subjects: [{ name: 'x', spec: { proxyPort: 70_000 } }], tunnelRef: { kind: 'Tunnel', name: 't' } },
      'subjects[0].spec.proxyPort',
    ],
    [
      { subjects: [{ name: 'x', spec: { proxyAddress: 'localhost' } }], tunnelRef: { kind: 'Tunnel', name: 't' } },
      'subjects[0].spec.proxyAddress',
    ],
  ];
  for (const [fields, field] of bad) {
    test(`refuses a wrong ${field} by its name`, () => expect(parse(fields)).toMatchObject({ problems: [{ field }] }));
  }
});
