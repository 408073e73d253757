import { parseYaml } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { dnsRecordKind } from './resource.ts';

function check(yaml: string): ReturnType<typeof dnsRecordKind.parseSpec> {
  return dnsRecordKind.parseSpec(parseYaml(yaml));
}

const details = 'cloudflare: { domain: example.com }';

describe('forms of the original that stay valid', () => {
  test.each([
    `{ name: www.example.com, type: A, content: 192.0.2.1, ttl: 300, proxied: true, cloudflare: { credentialsRef: { name: main } } }`,
    `{ name: www.example.com, type: CNAME, content: a.example.org, cloudflare: { zoneId: abc, accountId: def } }`,
    `{ name: www, type: TXT, content: 'v=spf1', cloudflare: { secret: cf, email: a@example.com, domain: example.com, CLOUDFLARE_API_KEY: key } }`,
    `{ name: example.com, type: MX, content: mail.example.com, priority: 10, ${details} }`,
    `{ name: _sip._tcp.example.com, type: SRV, content: '', priority: 10, data: { service: _sip, proto: _tcp, weight: 5, port: 5060, target: sip.example.com }, ${details} }`,
    `{ name: example.com, type: CAA, content: '', data: { flags: 0, tag: issue, value: letsencrypt.org }, ${details} }`,
    `{ name: _443._tcp.example.com, type: TLSA, content: '', data: { usage: 3, selector: 1, matchingType: 1, certificate: ab }, ${details} }`,
    `{ name: loc.example.com, type: LOC, content: '', data: { latDegrees: 51, latMinutes: 30, latSeconds: '12.7', latDirection: 'N', longDegrees: 0, longMinutes: 7, longSeconds: '39.6', longDirection: W, altitude: '10', size: '1', precisionHorz: '10', precisionVert: '10' }, ${details} }`,
    `{ name: a.example.com, type: A, content: 192.0.2.1, comment: hello, tags: ['owner:me'], cloudflare: {} }`,
    `{ name: a.example.com, sourceRef: { service: { name: web } }, ${details} }`,
    `{ name: a.example.com, sourceRef: { service: { name: web, namespace: x, addressType: LoadBalancerHostname } }, addressSelection: All, sourceDeletionPolicy: Orphan, ${details} }`,
    `{ name: a.example.com, type: A, sourceRef: { node: { name: n1, addressType: InternalIP } }, content: '', addressSelection: PreferIPv6, ${details} }`,
    `{ name: a.example.com, sourceRef: { httpRoute: { name: r } }, ${details} }`,
    `{ name: a.example.com, sourceRef: { gateway: { name: g } }, ${details} }`,
    `{ name: a.example.com, sourceRef: { ingress: { name: i } }, ${details} }`,
  ])('%s', (yaml) => {
    expect(check(yaml)).toMatchObject({ ok: true });
  });
});

test('what is left out has the defaults of the original', () => {
  expect(check(`{ name: a.example.com, type: A, content: 192.0.2.1, cloudflare: {} }`)).toMatchObject({
    value: { ttl: 1, proxied: false, addressSelection: 'First', sourceDeletionPolicy: 'Delete' },
  });
  expect(check(`{ name: a, sourceRef: { service: { name: s } }, cloudflare: {} }`)).toMatchObject({
    value: { sourceRef: { service: { addressType: 'LoadBalancerIP' } } },
  });
  expect(check(`{ name: a, sourceRef: { node: { name: s } }, cloudflare: {} }`)).toMatchObject({
    value: { sourceRef: { node: { addressType: 'ExternalIP' } } },
  });
});

describe('forms that are refused name the field', () => {
  test.each([
    [`{ type: A, content: 192.0.2.1, cloudflare: {} }`, 'spec.name'],
    [`{ name: a, type: BOGUS, content: x, cloudflare: {} }`, 'spec.type'],
    [`{ name: a, content: x, cloudflare: {} }`, 'spec.type'],
    [`{ name: a, type: A, cloudflare: {} }`, 'spec.content'],
    [`{ name: a, type: A, content: x, sourceRef: { service: { name: s } }, cloudflare: {} }`, 'spec.content'],
    [`{ name: a, sourceRef: {}, cloudflare: {} }`, 'spec.sourceRef'],
    [`{ name: a, sourceRef: { service: { name: s }, node: { name: m } }, cloudflare: {} }`, 'spec.sourceRef'],
    [`{ name: a, type: A, content: x, ttl: 0, cloudflare: {} }`, 'spec.ttl'],
    [`{ name: a, type: MX, content: x, priority: 65536, cloudflare: {} }`, 'spec.priority'],
    [`{ name: a, type: A, content: x }`, 'spec.cloudflare'],
    [`{ name: a, type: A, content: x, cloudflare: { credentialsRef: {} } }`, 'spec.cloudflare.credentialsRef.name'],
  ])('%s: %s', (yaml, field) => {
    expect(check(yaml)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });
});
