import { parseYaml } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { deviceSettingsPolicyKind } from './resource.ts';

const check = (yaml: string): ReturnType<AnyCustomKind['parseSpec']> =>
  deviceSettingsPolicyKind.parseSpec(parseYaml(yaml));

test.each([
  '{ cloudflare: { credentialsRef: { name: main } } }',
  '{ splitTunnelMode: include, splitTunnelInclude: [{ address: 10.0.0.0/8, description: AWS VPC }], cloudflare: {} }',
  '{ splitTunnelExclude: [{ host: "*.example.com" }], fallbackDomains: [{ suffix: corp, dnsServer: [10.0.0.53] }], cloudflare: {} }',
  '{ autoPopulateFromRoutes: { enabled: true, labelSelector: { matchLabels: { a: b } }, descriptionPrefix: "" }, cloudflare: {} }',
])('%s is valid', (yaml) => {
  expect(check(yaml)).toMatchObject({ ok: true });
});

test.each([
  ['{}', 'spec.cloudflare'],
  ['{ splitTunnelMode: both, cloudflare: {} }', 'spec.splitTunnelMode'],
  ['{ splitTunnelExclude: [{ description: nothing }], cloudflare: {} }', 'spec.splitTunnelExclude[0]'],
  ['{ splitTunnelInclude: [{ address: 10.0.0.0/8, host: a }], cloudflare: {} }', 'spec.splitTunnelInclude[0]'],
  ['{ fallbackDomains: [{ dnsServer: [10.0.0.53] }], cloudflare: {} }', 'spec.fallbackDomains[0].suffix'],
])('%s is refused for %s', (yaml, field) => {
  const problem: unknown = expect.objectContaining({ field });
  expect(check(yaml)).toMatchObject({ ok: false, problems: expect.arrayContaining([problem]) as unknown });
});
