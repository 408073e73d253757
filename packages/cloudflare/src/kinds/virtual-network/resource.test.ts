import { parseYaml } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { virtualNetworkKind } from './resource.ts';

const check = (yaml: string): ReturnType<typeof virtualNetworkKind.parseSpec> =>
  virtualNetworkKind.parseSpec(parseYaml(yaml));

test.each([
  '{ cloudflare: {} }',
  '{ name: office, comment: upstairs, isDefaultNetwork: true, cloudflare: { credentialsRef: { name: main } } }',
  '{ cloudflare: { accountId: a, secret: s, CLOUDFLARE_API_TOKEN: t } }',
])('%s is valid', (yaml) => {
  expect(check(yaml)).toMatchObject({ ok: true });
});

test('a network is not the default unless it says so', () => {
  expect(check('{ cloudflare: {} }')).toMatchObject({ value: { isDefaultNetwork: false } });
});

test.each([
  ['{}', 'spec.cloudflare'],
  [`{ comment: ${'x'.repeat(501)}, cloudflare: {} }`, 'spec.comment'],
  ['{ isDefaultNetwork: perhaps, cloudflare: {} }', 'spec.isDefaultNetwork'],
])('%s is refused for %s', (yaml, field) => {
  const problem: unknown = expect.objectContaining({ field });
  expect(check(yaml)).toMatchObject({ ok: false, problems: expect.arrayContaining([problem]) as unknown });
});
