import { secretKind } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessApplicationKind } from '../kinds/access-application/resource.ts';
import { accessGroupKind } from '../kinds/access-group/resource.ts';
import { accessIdentityProviderKind } from '../kinds/access-identity-provider/resource.ts';
import { accessPolicyKind } from '../kinds/access-policy/resource.ts';
import { accessServiceTokenKind } from '../kinds/access-service-token/resource.ts';
import { accessTunnelKind } from '../kinds/access-tunnel/resource.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import type { Shown } from '../testing/dashboard.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
}, 120_000);
afterAll(async () => world.stop());

const list = (path: string): readonly Shown[] =>
  listAtDashboard(world.sim, `/accounts/${world.sim.accountId}/access/${path}`);

async function create(kind: Kind<KubeObject>, name: string, spec: object): Promise<void> {
  await world.create(kind, name, { cloudflare: {}, ...spec });
}

test('an application with all that it refers to comes, changes and goes', async () => {
  await create(accessApplicationKind, 'wiki', {
    domain: 'wiki.example.com',
    allowedIdpRefs: [{ name: 'pin' }],
    policies: [
      { name: 'staff' },
      { policyName: 'own', decision: 'deny', include: [{ country: { country: ['PT', 'IT'] } }] },
    ],
    reusablePolicyRefs: [{ name: 'guests', precedence: 9 }],
  });
  await create(accessIdentityProviderKind, 'pin', { type: 'onetimepin' });
  await create(accessPolicyKind, 'guests', { decision: 'bypass', include: [{ everyone: true }] });
  await create(accessGroupKind, 'staff', { include: [{ emailDomain: { domain: 'example.com' } }] });
  const { status } = await world.untilReady(accessApplicationKind, 'wiki');
  const [app] = list('apps');
  expect(status).toMatchObject({ applicationId: app?.id, aud: app?.['aud'], state: 'active' });
  expect(app?.['policies']).toMatchObject([
    { name: 'staff - allow', precedence: 1 },
    { name: 'own', precedence: 2, include: [{ geo: { country_code: 'PT' } }, { geo: { country_code: 'IT' } }] },
    { name: 'guests', precedence: 9, reusable: true },
  ]);
  const body = { spec: { policies: [{ name: 'staff', decision: 'deny' }] } };
  await world.client.patch(accessApplicationKind, { name: 'wiki' }, { type: 'merge', body });
  await world.untilReady(accessApplicationKind, 'wiki');
  expect(list('apps')[0]?.['policies']).toMatchObject([{ decision: 'deny' }, { name: 'guests' }]);
  const all: readonly Kind<KubeObject>[] = [
    accessGroupKind,
    accessPolicyKind,
    accessIdentityProviderKind,
    accessApplicationKind,
  ];
  const names = ['staff', 'guests', 'pin', 'wiki'];
  // What is in use goes first, and waits for who uses it.
  for (const [index, kind] of all.entries()) await world.client.delete(kind, { name: names[index] ?? '' });
  await world.until('all is gone', async () =>
    [list('apps'), list('groups'), list('policies')].every(({ length }) => length === 0),
  );
});

test('a service token is in its Secret, and a client tunnel runs with it', async () => {
  const secretRef = { name: 'token', namespace: 'default', clientIdKey: 'ID', clientSecretKey: 'SECRET' };
  await create(accessServiceTokenKind, 'ci', { secretRef });
  const serviceToken = {
    secretRef: 'token',
    CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID: 'ID',
    CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN: 'SECRET',
  };
  const ref = { namespace: 'default', name: 'db' };
  await world.client.create(accessTunnelKind, {
    metadata: ref,
    target: { fqdn: 'db.example.com' },
    serviceToken,
  } as never);
  const { status } = await world.untilReady(accessServiceTokenKind, 'ci');
  const secret = await world.get(secretKind, { namespace: 'default', name: 'token' });
  const [token] = list('service_tokens');
  expect(Buffer.from(secret?.data?.['ID'] ?? '', 'base64').toString()).toBe(token?.['client_id']);
  expect(status).toMatchObject({ clientId: token?.['client_id'], clientSecretVersion: 1, secretName: 'token' });
  await world.until('cloudflared is deployed', async () => (await world.get(deploymentKind, ref)) !== undefined);
});

test.each([
  ['spec.domain', accessApplicationKind, {}],
  ['spec.type', accessApplicationKind, { domain: 'x', type: 'web' }],
  ['spec.policies[0].precedence', accessApplicationKind, { domain: 'x', policies: [{ precedence: 0 }] }],
  ['spec.include', accessGroupKind, { include: [] }],
  ['spec.include[0].everyone', accessGroupKind, { include: [{ everyone: {} }] }],
  ['spec.secretRef.namespace', accessServiceTokenKind, { secretRef: { name: 'x' } }],
  ['spec.type', accessIdentityProviderKind, { type: 'azure' }],
] as const)('the server refuses what is wrong with %s by name', async (field, kind, spec) => {
  await expect(create(kind as Kind<KubeObject>, 'wrong', spec)).rejects.toThrow(field);
});
