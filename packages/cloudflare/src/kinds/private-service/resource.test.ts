import { parseYaml } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { privateServiceKind } from './resource.ts';

const check = (yaml: string): ReturnType<typeof privateServiceKind.parseSpec> =>
  privateServiceKind.parseSpec(parseYaml(yaml));
const service = 'serviceRef: { name: web, port: 80 }';
const tunnel = 'tunnelRef: { kind: Tunnel, name: t }, cloudflare: {}';

test.each([
  `{ ${service}, ${tunnel} }`,
  `{ ${service}, ${tunnel}, protocol: udp, comment: c, virtualNetworkRef: { name: v } }`,
  `{ ${service}, ${tunnel}, virtualNetworkRef: { cloudflareName: v } }`,
])('%s is valid', (yaml) => {
  expect(check(yaml)).toMatchObject({ ok: true });
});

test('the protocol is tcp unless another is given', () => {
  expect(check(`{ ${service}, ${tunnel} }`)).toMatchObject({ value: { protocol: 'tcp' } });
});

test.each([
  [`{ ${tunnel} }`, 'spec.serviceRef'],
  [`{ serviceRef: { name: web }, ${tunnel} }`, 'spec.serviceRef.port'],
  [`{ serviceRef: { name: web, port: 0 }, ${tunnel} }`, 'spec.serviceRef.port'],
  [`{ ${service}, cloudflare: {} }`, 'spec.tunnelRef'],
  [`{ ${service}, ${tunnel}, protocol: icmp }`, 'spec.protocol'],
  [`{ ${service}, ${tunnel}, virtualNetworkRef: {} }`, 'spec.virtualNetworkRef.name'],
])('%s is refused for %s', (yaml, field) => {
  const problem: unknown = expect.objectContaining({ field });
  expect(check(yaml)).toMatchObject({ ok: false, problems: expect.arrayContaining([problem]) as unknown });
});
