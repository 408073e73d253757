import { parseYaml } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { networkRouteKind } from './resource.ts';

const check = (yaml: string): ReturnType<typeof networkRouteKind.parseSpec> =>
  networkRouteKind.parseSpec(parseYaml(yaml));
const tunnel = 'tunnelRef: { kind: ClusterTunnel, name: t }, cloudflare: {}';

describe('forms that are valid', () => {
  test.each([
    `{ network: 10.0.0.0/8, ${tunnel} }`,
    `{ network: 172.16.255.1/32, tunnelRef: { kind: Tunnel, name: t, namespace: ns }, virtualNetworkRef: { name: v }, comment: c, cloudflare: { credentialsRef: { name: main } } }`,
    `{ network: 10.0.0.0/8, ${tunnel}, virtualNetworkRef: { cloudflareId: abc } }`,
    `{ network: 10.0.0.0/8, ${tunnel}, virtualNetworkRef: { cloudflareName: abc } }`,
    `{ network: 'fd00::/8', ${tunnel} }`,
    `{ network: '2001:db8:1:2:3:4:5:6/128', ${tunnel} }`,
    `{ network: '::/0', ${tunnel} }`,
  ])('%s', (yaml) => {
    expect(check(yaml)).toMatchObject({ ok: true });
  });
});

test('a tunnel of no kind is a ClusterTunnel', () => {
  expect(check('{ network: 10.0.0.0/8, tunnelRef: { name: t }, cloudflare: {} }')).toMatchObject({
    value: { tunnelRef: { kind: 'ClusterTunnel' } },
  });
});

describe('forms that are refused name the field', () => {
  test.each([
    [`{ ${tunnel} }`, 'spec.network'],
    [`{ network: 10.0.0.0, ${tunnel} }`, 'spec.network'],
    [`{ network: 10.0.0.0/33, ${tunnel} }`, 'spec.network'],
    [`{ network: 10.0.0.256/8, ${tunnel} }`, 'spec.network'],
    [`{ network: 'fd00::/129', ${tunnel} }`, 'spec.network'],
    ['{ network: 10.0.0.0/8, cloudflare: {} }', 'spec.tunnelRef'],
    ['{ network: 10.0.0.0/8, tunnelRef: { kind: Pod, name: t }, cloudflare: {} }', 'spec.tunnelRef.kind'],
    [`{ network: 10.0.0.0/8, ${tunnel}, virtualNetworkRef: {} }`, 'spec.virtualNetworkRef.name'],
    [
      `{ network: 10.0.0.0/8, ${tunnel}, virtualNetworkRef: { name: a, cloudflareId: b } }`,
      'spec.virtualNetworkRef.name',
    ],
    [`{ network: 10.0.0.0/8, ${tunnel}, comment: ${'x'.repeat(501)} }`, 'spec.comment'],
    ['{ network: 10.0.0.0/8, tunnelRef: { name: t } }', 'spec.cloudflare'],
  ])('%s: %s', (yaml, field) => {
    const problem: unknown = expect.objectContaining({ field });
    expect(check(yaml)).toMatchObject({ ok: false, problems: expect.arrayContaining([problem]) as unknown });
  });
});
